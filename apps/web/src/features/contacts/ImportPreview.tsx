// The result of a contacts import before anything is added: how many, what is skipped and why, and
// the first contact as an example.
import type { TablePeople } from '@keyfold/mail/contact-csv/people';
import { runInSlices, type Steps } from '@keyfold/mail/slices';
import { useEffect, useState } from 'react';
import { sentenceGap, t } from '../../lib/language.ts';
import { formatCount, joinParts } from '../../lib/words.ts';
import { BOOK_PEOPLE_MAX, type Book } from '../../session/trust/pins.ts';
import { isOwn } from '../../session/trust/recipient-keys.ts';
import { Spinner } from '../../ui/Spinner.tsx';
import { type TakenIn, takeInSteps } from './import-people.ts';
import { createWorkPauses } from './work-pauses.ts';

const NAMED_MAX = 200;
const GROUPS_SHOWN = 200;

export type Preview = TablePeople & Omit<TakenIn, 'book'>;

/**
 * Returns the expected result of the import once it is known. The entries are collected in steps,
 * as during the import.
 */
export function usePreview(find: () => Steps<TablePeople>, book: Book): Preview | null {
  const [preview, setPreview] = useState<Preview | null>(null);
  useEffect(() => {
    const control = new AbortController();
    function* steps(): Steps<Preview> {
      const found = yield* find();
      const { book: _book, ...numbers } = yield* takeInSteps(book, found.people, () => '', isOwn);
      return { ...found, ...numbers };
    }
    setPreview(null);
    runInSlices(steps(), createWorkPauses(control.signal)).then(
      made => control.signal.aborted || setPreview(made),
      () => undefined,
    );
    return () => control.abort();
  }, [find, book]);
  return preview;
}

type ImportPreviewProps = {
  /** Null while loading. */
  preview: Preview | null;
  /** Describes how many entries have no address; shown if there are any. */
  rowsWithout: (count: number) => string;
  /** Names one of these entries by its number. */
  rowName: (row: number) => string;
  /** Other skipped content. */
  notes: readonly string[];
};

export function ImportPreview({ preview, rowsWithout, rowName, notes }: ImportPreviewProps) {
  if (preview === null) return <Spinner />;
  const { people, without, added, known, over, isCut } = preview;
  const [first] = people;
  const lines = [
    ...(known > 0
      ? [
          t('{count, plural, one {# is already in your contacts} other {# are already in your contacts}}', {
            count: known,
          }),
        ]
      : []),
    ...(over > 0
      ? [
          t('{count} won’t be imported. The address book holds up to {max} contacts.', {
            count: formatCount(over),
            max: formatCount(BOOK_PEOPLE_MAX),
          }),
        ]
      : []),
    ...(isCut ? [t('The file is too long. Part of it won’t be imported.')] : []),
    ...notes,
  ];
  return (
    <section className="flex flex-col gap-2">
      <div role="status">
        <p className="font-medium">
          {t('{count, plural, one {# contact will be added} other {# contacts will be added}}', {
            count: added,
          })}
        </p>
        {lines.map(line => (
          <p key={line} className="text-control text-ink-2">
            {line}
          </p>
        ))}
      </div>
      {first !== undefined && (
        <p className="text-control text-ink-2">
          {t('First entry:')}
          {sentenceGap()}
          <bdi className="line-clamp-3 font-medium break-words text-ink">
            {joinParts([first.name, ...first.emails, ...first.groups.slice(0, GROUPS_SHOWN)])}
          </bdi>
        </p>
      )}
      {without.length > 0 && (
        <details className="text-control">
          <summary className="min-h-8 cursor-default py-1 font-medium pointer-coarse:min-h-11">
            {rowsWithout(without.length)}
          </summary>
          <ol className="ps-4 text-ink-2">
            {without.slice(0, NAMED_MAX).map(({ row, name }) => (
              <li key={row}>
                {rowName(row)}: <bdi className="break-words">{name}</bdi>
              </li>
            ))}
            {without.length > NAMED_MAX && (
              <li>{t('and {count} more', { count: formatCount(without.length - NAMED_MAX) })}</li>
            )}
          </ol>
        </details>
      )}
    </section>
  );
}
