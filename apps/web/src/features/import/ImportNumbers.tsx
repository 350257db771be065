// The result of an import in four numbers.
import { cn } from '../../lib/class-names.ts';
import { t } from '../../lib/language.ts';
import { formatSize } from '../../lib/sizes.ts';
import { formatCount } from '../../lib/words.ts';
import type { Journal } from './journal.ts';

/** Contacts are shown only if there were any. */
export function ImportNumbers({ journal }: { journal: Journal }) {
  const { imported, here, skippedCount, bytes, contacts, cards = contacts, contactsLeft = 0 } = journal;
  const numbers = [
    { label: t('Imported'), value: formatCount(imported) },
    { label: t('Already in mailbox'), value: formatCount(here) },
    { label: t('Skipped'), value: formatCount(skippedCount), isWarning: skippedCount > 0 },
    { label: t('Size'), value: formatSize(bytes) },
    ...(cards > 0 ? [{ label: t('New contacts'), value: formatCount(contacts) }] : []),
  ];
  return (
    <>
      <dl className="mt-3 flex flex-wrap gap-3">
        {numbers.map(({ label, value, isWarning }) => (
          <div key={label} className="min-w-28 flex-1 rounded-control bg-well px-3 py-2">
            <dt className="text-control text-ink-2">{label}</dt>
            <dd className={cn('font-semibold tabular-nums', isWarning && 'text-warn')}>{value}</dd>
          </div>
        ))}
      </dl>
      {contactsLeft > 0 && (
        <p className="mt-3 text-control text-ink-2">
          {t(
            '{count, plural, one {# contact was skipped because it has no email address or your contact list is full.} other {# contacts were skipped because they have no email address or your contact list is full.}}',
            { count: contactsLeft },
          )}
        </p>
      )}
    </>
  );
}
