// The actions over the row that a mouse points at. They exist for that row alone: of every row they were a third of the page.
import { Archive, ArchiveRestore, Clock, Inbox, Mail, MailOpen, ShieldCheck, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../lib/language.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import type { MailRowActions } from './MailRow.tsx';
import type { MailRowView } from './view-model.ts';

/** What the first of the hover actions does, by where the mail is. */
const movesOf = {
  archived: { label: () => t('Move to inbox'), Icon: Inbox },
  deleted: { label: () => t('Restore'), Icon: ArchiveRestore },
  flagged: { label: () => t('Not spam'), Icon: ShieldCheck },
  other: { label: () => t('Archive'), Icon: Archive },
} as const;

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
      size="sm"
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
export function RowHoverActions({ row, actions }: { row: MailRowView; actions: MailRowActions }) {
  const { label, Icon } = movesOf[row.place];
  const isSnoozable = row.place === 'other' || row.place === 'archived';
  return (
    <div className="absolute end-11 bottom-1.5 z-1 hidden rounded-control bg-hover group-hover/row:flex pointer-coarse:hidden">
      {!row.draft && (
        <Action label={label()} onRun={() => actions.onArchive(row.id)}>
          <Icon size={15} />
        </Action>
      )}
      <Action
        label={row.place === 'deleted' || row.draft ? t('Delete for ever') : t('Delete')}
        onRun={() => actions.onDelete(row.id)}
      >
        <Trash2 size={15} />
      </Action>
      {!row.draft && (
        <Action
          label={row.unread ? t('Mark read') : t('Mark unread')}
          onRun={() => actions.onToggleRead(row.id)}
        >
          {row.unread ? <MailOpen size={15} /> : <Mail size={15} />}
        </Action>
      )}
      {!row.draft && isSnoozable && (
        <Action label={t('Snooze')} onRun={button => actions.onSnooze(row.id, button)}>
          <Clock size={15} />
        </Action>
      )}
    </div>
  );
}
