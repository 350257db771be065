// The actions of the hovered row. They are rendered for that row only: rendered for every row, they
// made up a third of the page.
import { cn } from '../../../lib/class-names.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { offersAt } from '../state/mail-actions.ts';
import type { Density, MailRowView } from '../state/view-model.ts';
import type { MailRowActions } from './MailRow.tsx';

/** Aligned with the last line of the row's text, which reserves space for them (MailRowText). */
const place = { comfortable: 'bottom-1.5', compact: 'bottom-1', line: 'bottom-2' } as const satisfies Record<
  Density,
  string
>;

/**
 * The hover actions from mail-actions.ts. Mouse only: keyboard and screen reader users reach each
 * action in other ways.
 */
export function RowHoverActions({
  row,
  density,
  actions,
}: {
  row: MailRowView;
  density: Density;
  actions: MailRowActions;
}) {
  return (
    <div
      className={cn(
        'absolute end-11 z-1 hidden rounded-control bg-hover group-hover/row:flex pointer-coarse:hidden',
        place[density],
      )}
    >
      {offersAt('hover', { where: row.place, unread: row.unread, starred: row.starred }).map(offer => (
        <IconButton
          key={offer.action}
          tip={false}
          size="xs"
          tabIndex={-1}
          title={offer.label}
          label={offer.label}
          onClick={event => actions.onAct(row.id, offer.action, event.currentTarget)}
        >
          <offer.Icon size={15} />
        </IconButton>
      ))}
    </div>
  );
}
