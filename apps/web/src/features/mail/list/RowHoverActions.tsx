// The actions over the row that a mouse points at. They exist for that row alone: of every row they were a third of the page.
import { Mail, MailOpen } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '../../../lib/class-names.ts';
import { t } from '../../../lib/language.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { lookOf } from '../state/effect-look.ts';
import { effectOf } from '../state/mail-actions.ts';
import type { Density, MailRowView } from '../state/view-model.ts';
import type { MailRowActions } from './MailRow.tsx';

/** As high as the last line of the row's words, which makes room for them (MailRowText). */
const place = { comfortable: 'bottom-1.5', compact: 'bottom-1', line: 'bottom-2' } as const satisfies Record<
  Density,
  string
>;

interface ActionProps {
  label: string;
  onRun: (button: Element) => void;
  children: ReactNode;
}

/** For the mouse alone: keys and screen readers have their own ways to each of them. */
function Action({ label, onRun, children }: ActionProps) {
  return (
    <IconButton
      tip={false}
      size="xs"
      tabIndex={-1}
      title={label}
      label={label}
      onClick={event => onRun(event.currentTarget)}
    >
      {children}
    </IconButton>
  );
}

/** Archive, delete, mark and snooze, as far as the mail's place allows. */
export function RowHoverActions({
  row,
  density,
  actions,
}: {
  row: MailRowView;
  density: Density;
  actions: MailRowActions;
}) {
  const away = lookOf('archive', row.place);
  const remove = lookOf('delete', row.place);
  const snooze = lookOf('snooze', row.place);
  return (
    <div
      className={cn(
        'absolute end-11 z-1 hidden rounded-control bg-hover group-hover/row:flex pointer-coarse:hidden',
        place[density],
      )}
    >
      {away !== null && (
        <Action label={away.label()} onRun={() => actions.onArchive(row.id)}>
          <away.Icon size={15} />
        </Action>
      )}
      {remove !== null && (
        <Action label={remove.label()} onRun={() => actions.onDelete(row.id)}>
          <remove.Icon size={15} />
        </Action>
      )}
      {effectOf('read', row.place) !== null && (
        <Action
          label={row.unread ? t('Mark read') : t('Mark unread')}
          onRun={() => actions.onToggleRead(row.id)}
        >
          {row.unread ? <MailOpen size={15} /> : <Mail size={15} />}
        </Action>
      )}
      {snooze !== null && (
        <Action label={snooze.label()} onRun={button => actions.onSnooze(row.id, button)}>
          <snooze.Icon size={15} />
        </Action>
      )}
    </div>
  );
}
