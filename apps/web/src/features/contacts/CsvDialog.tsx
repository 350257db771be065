// Looks through a CSV file before its people become contacts: what each column was taken for, which can be changed, how many
// come, and who is left out because there is no address.
import type { ColumnRole } from '@keyfold/mail/contact-csv/columns';
import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { t } from '../../lib/language.ts';
import { formatCount } from '../../lib/words.ts';
import { useAddressBook } from '../../session/address-book.ts';
import { callErrorText } from '../../session/error-text.ts';
import { bookPeopleMax, emptyBook } from '../../session/pins.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Select } from '../../ui/Select.tsx';
import { type Imported, importPeople } from './card-files.ts';
import { type CsvFile, type CsvPreview, previewOf } from './csv-files.ts';

interface CsvDialogProps {
  file: CsvFile;
  onImported: (result: Imported) => void;
  onClose: () => void;
}

/** The columns that have something in them, with an example each. */
const filledColumns = ({ table: { headers, rows } }: CsvFile) =>
  headers.flatMap((header, index) => {
    const example = rows.find(row => row[index]?.trim())?.[index]?.trim();
    return example === undefined ? [] : [{ header, index, example: example.slice(0, 120) }];
  });

const roleOptions = (): { value: ColumnRole; label: string }[] => [
  { value: 'none', label: t('Left out') },
  { value: 'email', label: t('E-mail address') },
  { value: 'full_name', label: t('Name') },
  { value: 'given_name', label: t('First name') },
  { value: 'middle_name', label: t('Middle name') },
  { value: 'family_name', label: t('Last name') },
  { value: 'nickname', label: t('Nickname') },
  { value: 'company', label: t('Company') },
  { value: 'note', label: t('Note') },
  { value: 'groups', label: t('Groups') },
];

/** Open while mounted. */
export function CsvDialog({ file, onImported, onClose }: CsvDialogProps) {
  const [roles, setRoles] = useState(file.roles);
  const book = useAddressBook() ?? emptyBook;
  const columns = useMemo(() => filledColumns(file), [file]);
  const preview = useMemo(() => previewOf(file.table, roles, book), [file, roles, book]);
  const save = useMutation({
    mutationFn: () => importPeople(preview.people, preview.without.length),
    onSuccess: onImported,
  });
  return (
    <FormDialog
      wide
      title={t('Import contacts')}
      submitLabel={t('Import')}
      isBusy={save.isPending}
      disabled={preview.added === 0}
      problem={save.error === null ? null : callErrorText(save.error)}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <CsvNumbers file={file} preview={preview} hasAddresses={roles.includes('email')} />
      <section className="flex flex-col gap-2">
        <h3 className="font-semibold">{t('What the columns are')}</h3>
        <ul className="rounded-card border border-line">
          {columns.map(({ header, index, example }) => {
            const name = header || t('Column {number}', { number: index + 1 });
            return (
              <li
                key={index}
                className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5 border-b border-line px-3 py-2 last:border-b-0"
              >
                <span className="min-w-0 flex-[1_1_14rem]">
                  <bdi className="block truncate font-medium">{name}</bdi>
                  <bdi className="block truncate text-control text-ink-2">{example}</bdi>
                </span>
                <span className="w-44 max-pane:w-full">
                  <Select
                    hideLabel
                    label={t('Column {name}', { name })}
                    options={roleOptions()}
                    value={roles[index] ?? 'none'}
                    onChange={role => setRoles(roles.with(index, role))}
                  />
                </span>
              </li>
            );
          })}
        </ul>
      </section>
    </FormDialog>
  );
}

const namedMax = 200;

interface CsvNumbersProps {
  file: CsvFile;
  preview: CsvPreview;
  hasAddresses: boolean;
}

/** What would come of it, and the first one as it would be. */
function CsvNumbers({ file, preview, hasAddresses }: CsvNumbersProps) {
  const { people, without, added, known, over } = preview;
  const [first] = people;
  if (!hasAddresses)
    return <p role="status">{t('No column is known to hold e-mail addresses. Say below which one does.')}</p>;
  const lines = [
    known > 0 && t('{count, plural, one {# is here already} other {# are here already}}', { count: known }),
    over > 0 &&
      t('{count} do not fit: an address book holds {max}', {
        count: formatCount(over),
        max: formatCount(bookPeopleMax),
      }),
    file.table.isCut &&
      t('The file is longer: its first {count} rows are read', {
        count: formatCount(file.table.rows.length),
      }),
  ].filter(line => line !== false);
  return (
    <section className="flex flex-col gap-2">
      <div role="status">
        <p className="font-medium">
          {t('{count, plural, one {# contact is added} other {# contacts are added}}', { count: added })}
        </p>
        {lines.map(line => (
          <p key={line} className="text-control text-ink-2">
            {line}
          </p>
        ))}
      </div>
      {first !== undefined && (
        <p className="text-control text-ink-2">
          {t('The first one:')}{' '}
          <bdi className="font-medium break-words text-ink">
            {[first.name, ...first.emails, ...first.groups].filter(text => text !== '').join(', ')}
          </bdi>
        </p>
      )}
      {without.length > 0 && (
        <details className="text-control">
          <summary className="min-h-8 cursor-default py-1 font-medium pointer-coarse:min-h-11">
            {t(
              '{count, plural, one {# row without an e-mail address is left out} other {# rows without an e-mail address are left out}}',
              { count: without.length },
            )}
          </summary>
          <ol className="ps-4 text-ink-2">
            {without.slice(0, namedMax).map(({ row, name }) => (
              <li key={row}>
                {t('Row {number}', { number: row })}: <bdi className="break-words">{name}</bdi>
              </li>
            ))}
            {without.length > namedMax && (
              <li>{t('and {count} more', { count: formatCount(without.length - namedMax) })}</li>
            )}
          </ol>
        </details>
      )}
    </section>
  );
}
