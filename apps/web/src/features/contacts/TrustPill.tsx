// The trust state of a contact's keys, as text with an icon.
import { Lock, LockOpen, type LucideIcon, ShieldAlert, ShieldCheck } from 'lucide-react';
import { cn } from '../../lib/class-names.ts';
import { formatDay } from '../../lib/dates.ts';
import { t } from '../../lib/language.ts';
import type { Pin, Trust } from '../../session/trust/pins.ts';

const looks: Record<Trust, { readonly Icon: LucideIcon; readonly className: string }> = {
  verified: { Icon: ShieldCheck, className: 'bg-secure-bg text-secure' },
  sealed: { Icon: Lock, className: 'bg-well text-ink-2' },
  plain: { Icon: LockOpen, className: 'bg-well text-ink-3' },
  key_changed: { Icon: ShieldAlert, className: 'bg-danger-bg text-danger' },
  mismatch: { Icon: ShieldAlert, className: 'bg-danger-bg text-danger' },
};

function wordsOf(trust: Trust, pin: Pin | null): string {
  if (trust === 'key_changed') return t('Key changed');
  if (trust === 'mismatch') return t('Doesn’t match');
  if (trust === 'plain') return t('No encryption');
  if (trust === 'sealed') return t('Not verified');
  const at = pin?.verified?.at;
  return at === undefined ? t('Verified') : t('Verified {date}', { date: formatDay(new Date(at)) });
}

/** A small badge beside a name. */
export function TrustPill({ trust, pin }: { trust: Trust; pin: Pin | null }) {
  const { Icon, className } = looks[trust];
  return (
    <span
      className={cn(
        'inline-flex h-6 shrink-0 items-center gap-1.5 rounded-full px-2.5 text-meta font-medium whitespace-nowrap',
        className,
      )}
    >
      <Icon aria-hidden size={13} />
      {wordsOf(trust, pin)}
    </span>
  );
}
