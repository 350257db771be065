// Previews a vCard file before its entries become contacts: how many are imported, and what is
// skipped.
import type { Steps } from '@keyfold/mail/slices';
import type { CardFile, CardLeftOut } from '@keyfold/mail/vcard';
import { useMutation } from '@tanstack/react-query';
import { useCallback } from 'react';
import { t } from '../../lib/language.ts';
import { joinNames } from '../../lib/words.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { useAddressBook } from '../../session/trust/address-book.ts';
import { emptyBook } from '../../session/trust/pins.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { type Imported, importPeople } from './card-files.ts';
import { ImportPreview, usePreview } from './ImportPreview.tsx';

type CardsDialogProps = {
  file: CardFile;
  onImported: (result: Imported) => void;
  onClose: () => void;
};

function leftOutName(one: CardLeftOut): string {
  switch (one) {
    case 'picture':
      return t('images that are too large');
    case 'line':
      return t('text that is too long');
  }
}

/** The cards have already been parsed. */
// biome-ignore lint/correctness/useYield: there is nothing left to do in steps
function* stepsTo(file: CardFile): Steps<CardFile> {
  return file;
}

export function CardsDialog({ file, onImported, onClose }: CardsDialogProps) {
  const book = useAddressBook() ?? emptyBook;
  const preview = usePreview(
    useCallback(() => stepsTo(file), [file]),
    book,
  );
  const save = useMutation({
    mutationFn: () => importPeople(file.people, file.without.length),
    onSuccess: onImported,
  });
  const left = joinNames(file.leftOut.map(leftOutName));
  return (
    <FormDialog
      title={t('Import contacts')}
      submitLabel={t('Import')}
      isBusy={save.isPending}
      disabled={preview?.isChanged !== true}
      problem={save.error === null ? null : callErrorText(save.error)}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <ImportPreview
        preview={preview}
        rowsWithout={count =>
          t(
            '{count, plural, one {# card without an email address will be skipped} other {# cards without an email address will be skipped}}',
            { count },
          )
        }
        rowName={row => t('Card {number}', { number: row })}
        notes={left === '' ? [] : [t('Skipped: {what}', { what: left })]}
      />
    </FormDialog>
  );
}
