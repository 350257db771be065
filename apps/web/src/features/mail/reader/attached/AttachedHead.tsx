// Claimed sender, recipients and date of an attached message.
import type { ParsedMessage } from '@keyfold/mail/mime/parse';
import { formatFullDate } from '../../../../lib/dates.ts';
import { t } from '../../../../lib/language.ts';
import { joinParts, personWords } from '../../../../lib/words.ts';
import type { PersonView } from '../../state/view-model.ts';

/** Maximum number of people named in one line. */
const NAMED_MAX = 20;

function list(people: readonly PersonView[]): string {
  const shown = people.slice(0, NAMED_MAX).map(personWords);
  const more = people.length - shown.length;
  return joinParts([...shown, more > 0 ? t('{count} more', { count: more }) : '']);
}

function dateText(date: string): string {
  const at = new Date(date);
  return Number.isNaN(at.getTime()) ? date : formatFullDate(at);
}

/** A list of names and values. Fields missing from the message are left out. */
export function AttachedHead({ parsed }: { parsed: ParsedMessage }) {
  const rows: [string, string][] = [
    [t('From'), parsed.from === null ? t('Unknown sender') : personWords(parsed.from)],
    [t('To'), list(parsed.to)],
    [t('Cc'), list(parsed.cc)],
    [t('Date'), parsed.date === null ? '' : dateText(parsed.date)],
  ];
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5 text-control">
      {rows
        .filter(([, value]) => value !== '')
        .map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-ink-3">{label}</dt>
            <dd className="wrap-anywhere text-ink-2" dir="auto">
              {value}
            </dd>
          </div>
        ))}
    </dl>
  );
}
