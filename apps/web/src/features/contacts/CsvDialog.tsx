// Previews a CSV file before its rows become contacts: the guessed role of each column, which can
// be changed, how many are imported, and which rows are skipped for lack of an address.
import type { ColumnRole } from '@keyfold/mail/contact-csv/columns';
import { peopleSteps } from '@keyfold/mail/contact-csv/people';
import { useMutation } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { t } from '../../lib/language.ts';
import { formatCount } from '../../lib/words.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { useAddressBook } from '../../session/trust/address-book.ts';
import { emptyBook } from '../../session/trust/pins.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Select } from '../../ui/Select.tsx';
import { type Imported, importPeople } from './card-files.ts';
import type { CsvFile } from './csv-files.ts';
import { ImportPreview, usePreview } from './ImportPreview.tsx';

type CsvDialogProps = {
  file: CsvFile;
  onImported: (result: Imported) => void;
  onClose: () => void;
};

/** Returns the non-empty columns, each with an example. */
const filledColumns = ({ table: { headers, rows } }: CsvFile) =>
  headers.flatMap((header, index) => {
    const example = rows.find(row => row[index]?.trim())?.[index]?.trim();
    return example === undefined ? [] : [{ header, index, example: example.slice(0, 120) }];
  });

const roleOptions = (): { value: ColumnRole; label: string }[] => [
  { value: 'none', label: t('Don’t import') },
  { value: 'email', label: t('Email address') },
  { value: 'full_name', label: t('Name') },
  { value: 'given_name', label: t('First name') },
  { value: 'middle_name', label: t('Middle name') },
  { value: 'family_name', label: t('Last name') },
  { value: 'nickname', label: t('Nickname') },
  { value: 'company', label: t('Company') },
  { value: 'title', label: t('Job title') },
  { value: 'phone', label: t('Phone') },
  { value: 'address', label: t('Postal address') },
  { value: 'street', label: t('Street') },
  { value: 'city', label: t('City') },
  { value: 'region', label: t('Region') },
  { value: 'postcode', label: t('Postal code') },
  { value: 'country', label: t('Country') },
  { value: 'birthday', label: t('Birthday') },
  { value: 'site', label: t('Website') },
  { value: 'note', label: t('Note') },
  { value: 'groups', label: t('Groups') },
  { value: 'custom', label: t('Custom field') },
];

export function CsvDialog({ file, onImported, onClose }: CsvDialogProps) {
  const [roles, setRoles] = useState(file.roles);
  const book = useAddressBook() ?? emptyBook;
  const columns = useMemo(() => filledColumns(file), [file]);
  const preview = usePreview(
    useCallback(() => peopleSteps(file.table, roles), [file, roles]),
    book,
  );
  const save = useMutation({
    mutationFn: () => importPeople(preview?.people ?? [], preview?.without.length ?? 0),
    onSuccess: onImported,
  });
  return (
    <FormDialog
      wide
      title={t('Import contacts')}
      submitLabel={t('Import')}
      isBusy={save.isPending}
      disabled={preview?.isChanged !== true}
      problem={save.error === null ? null : callErrorText(save.error)}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      {roles.includes('email') ? (
        <ImportPreview
          preview={preview}
          rowsWithout={count =>
            t(
              '{count, plural, one {# row without an email address will be skipped} other {# rows without an email address will be skipped}}',
              { count },
            )
          }
          rowName={row => t('Row {number}', { number: row })}
          notes={
            file.table.isCut
              ? [
                  t('The file is too long. Only the first {count} rows are read.', {
                    count: formatCount(file.table.rows.length),
                  }),
                ]
              : []
          }
        />
      ) : (
        <p role="status">{t('No column with email addresses was found. Choose it below.')}</p>
      )}
      <section className="flex flex-col gap-2">
        <h3 className="font-semibold">{t('Match columns to fields')}</h3>
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
