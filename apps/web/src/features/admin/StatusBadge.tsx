// The status of an account. Any status of the server besides active and suspended is shown as a
// warning (docs/spec-map.md 4.31).
import type { AdminUser } from '@keyfold/contract';
import { t, term } from '../../lib/language.ts';
import { Badge } from '../../ui/Badge.tsx';

const known: Readonly<Record<string, { tone: 'success' | 'danger'; label: string }>> = {
  active: { tone: 'success', label: term('active') },
  suspended: { tone: 'danger', label: term('suspended') },
};

/** Returns the label of a status. */
export const statusWord = (status: string): string => t(known[status]?.label ?? status);

/** Shows the status in a pill, and below it whether outgoing mail is held. */
export function AccountStatus({ user }: { user: Pick<AdminUser, 'mail_held' | 'status'> }) {
  return (
    <span className="inline-flex flex-col items-start gap-1">
      <Badge tone={known[user.status]?.tone ?? 'warn'}>{statusWord(user.status)}</Badge>
      {user.mail_held && <Badge tone="warn">{t('mail held')}</Badge>}
    </span>
  );
}
