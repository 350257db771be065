// The actions over the row that a mouse points at. They exist for that row alone: of every row they were a third of the page.
import { cn } from '../../../lib/class-names.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { offersAt } from '../state/mail-actions.ts';
import type { Density, MailRowView } from '../state/view-model.ts';
import type { MailRowActions } from './MailRow.tsx';

/** As high as the last line of the row's words, which makes room for them (MailRowText). */
const place = { comfortable: 'bottom-1.5', compact: 'bottom-1', line: 'bottom-2' } as const satisfies Record<
  Density,
  string
>;

/** What the table has for them. For the mouse alone: keys and screen readers have their own ways to each. */
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
