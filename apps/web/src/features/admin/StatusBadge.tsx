// Whether an account is open. What the server says beside active and suspended is shown as a warning (Spec §4).
import { t, term } from '../../lib/language.ts';
import { Badge } from '../../ui/Badge.tsx';

const known: Readonly<Record<string, { tone: 'success' | 'danger'; label: string }>> = {
  active: { tone: 'success', label: term('active') },
  suspended: { tone: 'danger', label: term('suspended') },
};

/** The word for a state. */
export const statusWord = (status: string): string => t(known[status]?.label ?? status);

/** The word in a pill. */
export function StatusBadge({ status }: { status: string }) {
  return <Badge tone={known[status]?.tone ?? 'warn'}>{statusWord(status)}</Badge>;
}
