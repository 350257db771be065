// "to me, Tomasz" below the sender's name, on a phone together with the date. Expands to full
// addresses and the full date.
import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import { cn } from '../../../lib/class-names.ts';
import { formatFullDate, formatMessageDate } from '../../../lib/dates.ts';
import { t } from '../../../lib/language.ts';
import { joinNames, joinParts, personWords } from '../../../lib/words.ts';
import { Button } from '../../../ui/Button.tsx';
import type { MessageView } from '../state/view-model.ts';

const MAX_NAMES = 3;
/** Maximum number of recipients listed before the user asks for all. */
const MAX_LISTED = 20;

type PeopleLineProps = {
  message: MessageView;
  /** Addresses that are shown as "me". */
  ownAddresses: ReadonlySet<string>;
  now: Date;
};

/**
 * Values in a row: the first ones of a long list until the user asks for all; always all when
 * printed.
 */
function LongList({ values }: { values: readonly string[] }) {
  const [showsAll, setShowsAll] = useState(false);
  if (showsAll || values.length <= MAX_LISTED) return joinParts(values);
  return (
    <>
      {joinParts(values.slice(0, MAX_LISTED))}
      <span className="hidden print:inline">
        {t(', ')}
        {joinParts(values.slice(MAX_LISTED))}
      </span>{' '}
      <Button variant="quiet" size="xs" className="print:hidden" onClick={() => setShowsAll(true)}>
        {t('Show all {count}', { count: values.length })}
      </Button>
    </>
  );
}

/** Returns when the message arrived, and when it was written if that differs. */
function datesOf({ date, written }: MessageView): [string, readonly string[]][] {
  const received = formatFullDate(new Date(date));
  if (written === null) return [[t('Date'), [received]]];
  const sent = formatFullDate(new Date(written.date));
  return [
    [t('Date'), [written.isZoneless ? t('{date} (no time zone given, UTC assumed)', { date: sent }) : sent]],
    [t('Date received'), [received]],
  ];
}

/** A short list of recipients that expands to the full one. */
export function PeopleLine({ message, ownAddresses, now }: PeopleLineProps) {
  const [isUnfolded, setUnfolded] = useState(false);
  const id = useId();
  const everybody = [...message.to, ...message.cc, ...message.bcc];
  const names = everybody.map(person =>
    ownAddresses.has(person.address.toLowerCase()) ? t('me') : person.name.split(' ')[0] || person.address,
  );
  const shown =
    names.length > MAX_NAMES
      ? [...names.slice(0, MAX_NAMES - 1), t('{count} more', { count: names.length - MAX_NAMES + 1 })]
      : names;
  const rows: [string, readonly string[]][] = [
    [t('From'), [personWords(message.from)]],
    [t('To'), message.to.map(personWords)],
    [t('Cc'), message.cc.map(personWords)],
    [t('Bcc'), message.bcc.map(personWords)],
    ...datesOf(message),
  ];
  return (
    <>
      <span className="flex items-center gap-2 print:hidden">
        <button
          type="button"
          aria-expanded={isUnfolded}
          aria-controls={id}
          onClick={() => setUnfolded(open => !open)}
          className="flex min-w-0 items-center gap-1 rounded-chip text-meta text-ink-3 hover:text-ink pointer-coarse:relative pointer-coarse:min-h-6 pointer-coarse:after:absolute pointer-coarse:after:inset-x-0 pointer-coarse:after:-inset-y-2.5"
        >
          <span className="truncate">
            {shown.length === 0 ? t('no recipient') : t('to {names}', { names: joinNames(shown) })}
          </span>
          <ChevronDown
            aria-hidden
            size={12}
            className={cn('shrink-0 transition-transform', isUnfolded && 'rotate-180')}
          />
        </button>
        <time dateTime={message.date} className="shrink-0 text-meta text-ink-3 tabular-nums pane:hidden">
          {formatMessageDate(new Date(message.date), now)}
        </time>
      </span>
      <dl
        id={id}
        className={cn(
          isUnfolded ? 'grid' : 'hidden print:grid',
          'mt-1 grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5 text-meta max-pane:-me-16 max-pane:pointer-coarse:-me-22',
        )}
      >
        {rows
          .filter(([, values]) => values.some(value => value !== ''))
          .map(([label, values]) => (
            <div key={label} className="contents">
              <dt className="text-ink-3">{label}</dt>
              <dd className="break-words text-ink-2" dir="auto">
                <LongList values={values} />
              </dd>
            </div>
          ))}
      </dl>
    </>
  );
}
