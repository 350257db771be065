// Import and export of contacts as vCard or CSV: the buttons, the read progress, and the preview
// dialog.
import type { CardFile } from '@keyfold/mail/vcard';
import { useMutation } from '@tanstack/react-query';
import { Download, FileUp } from 'lucide-react';
import { useRef, useState } from 'react';
import { t } from '../../lib/language.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { Button } from '../../ui/Button.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { MenuItem } from '../../ui/MenuItem.tsx';
import { showToast } from '../../ui/toasts.ts';
import { CardsDialog } from './CardsDialog.tsx';
import { CsvDialog } from './CsvDialog.tsx';
import { exportCards, type Imported } from './card-files.ts';
import { type CsvFile, exportCsv, isCardFile, readCardFile, readCsv } from './csv-files.ts';
import type { useContacts } from './queries.ts';

const tellImported = ({ added, known, leftOut }: Imported) =>
  showToast({
    tone: 'success',
    text: t('{added} added, {known} already in contacts, {leftOut} skipped', { added, known, leftOut }),
  });

/** Reads a contacts file and opens its preview dialog. */
export function useContactFiles() {
  const [table, setTable] = useState<CsvFile | null>(null);
  const [cards, setCards] = useState<CardFile | null>(null);
  const [read, setRead] = useState<number | null>(null);
  const take = useMutation({
    mutationFn: async (chosen: File) => {
      if (await isCardFile(chosen)) setCards(await readCardFile(chosen, setRead));
      else setTable(await readCsv(chosen));
    },
    onSettled: () => setRead(null),
    onError: error =>
      showToast({
        tone: 'danger',
        text: t('{what}: {why}', { what: t('Couldn’t import contacts'), why: callErrorText(error) }),
      }),
  });
  const closeFiles = () => {
    setTable(null);
    setCards(null);
  };
  const imported = (result: Imported) => {
    closeFiles();
    tellImported(result);
  };
  return {
    take: take.mutate,
    isReading: take.isPending,
    /** Fraction of the file that has been read; null while no file is being read. */
    share: read,
    dialog: (
      <>
        {table !== null && <CsvDialog file={table} onImported={imported} onClose={closeFiles} />}
        {cards !== null && <CardsDialog file={cards} onImported={imported} onClose={closeFiles} />}
      </>
    ),
  };
}

/** Read progress of a file. */
export function ReadShare({ share }: { share: number | null }) {
  if (share === null) return null;
  return (
    <p role="status" className="text-control text-ink-2">
      {t('Reading file: {percent}%', { percent: Math.floor(share * 100) })}
    </p>
  );
}

type FileActionsProps = {
  list: ReturnType<typeof useContacts>['list'];
  isReading: boolean;
  onFile: (file: File) => void;
};

export function FileActions({ list, isReading, onFile }: FileActionsProps) {
  const file = useRef<HTMLInputElement>(null);
  return (
    <span className="flex flex-wrap gap-2">
      <Button variant="outline" size="sm" busy={isReading} onClick={() => file.current?.click()}>
        <FileUp size={15} />
        {t('Import')}
      </Button>
      <Menu
        trigger={
          <Button variant="outline" size="sm" disabled={list.people.length === 0}>
            <Download size={15} />
            {t('Export')}
          </Button>
        }
      >
        <MenuItem onSelect={() => exportCards(list.people, list.groups)}>{t('As vCard')}</MenuItem>
        <MenuItem onSelect={() => exportCsv(list.people, list.groups)}>{t('As CSV')}</MenuItem>
      </Menu>
      <input
        ref={file}
        type="file"
        accept=".vcf,.vcard,.csv,.tsv,.txt,text/vcard,text/csv"
        aria-label={t('Import contacts')}
        tabIndex={-1}
        className="sr-only"
        onChange={event => {
          const [chosen] = event.target.files ?? [];
          event.target.value = '';
          if (chosen !== undefined) onFile(chosen);
        }}
      />
    </span>
  );
}
