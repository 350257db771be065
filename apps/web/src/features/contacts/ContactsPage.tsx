// `/app/config/contacts`: oneself first, then everybody one knows, with how far their keys are trusted; share codes, adding,
// groups, and files, vCard or CSV (docs/spec-map.md 2, 4, docs/interface.md#verifying-people).
import type { CardFile } from '@keyfold/mail/vcard';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Download, FileUp, Search, Users } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { t } from '../../lib/language.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { useUser } from '../../session/state/current-user.ts';
import { groupsByEmail, type Person } from '../../session/trust/pins.ts';
import { AlertDialog } from '../../ui/AlertDialog.tsx';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { MenuItem } from '../../ui/MenuItem.tsx';
import { SettingsPage } from '../../ui/SettingsPage.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { showToast } from '../../ui/toasts.ts';
import { AddContact } from './AddContact.tsx';
import { CardsDialog } from './CardsDialog.tsx';
import { ContactDialog } from './ContactDialog.tsx';
import { ContactRow } from './ContactRow.tsx';
import { CsvDialog } from './CsvDialog.tsx';
import { exportCards, type Imported } from './card-files.ts';
import { removeByAddress } from './changes.ts';
import { type CsvFile, exportCsv, isCardFile, readCardFile, readCsv } from './csv-files.ts';
import { GroupList } from './GroupList.tsx';
import { isFileLine } from './import-people.ts';
import { LazyVerifyDialog } from './LazyVerifyDialog.tsx';
import { useGrowing } from './long-lists.tsx';
import { contactsKey, useContacts, useTrust } from './queries.ts';
import { ShareCode } from './ShareCode.tsx';

const fails = (text: string) => (error: unknown) =>
  showToast({ tone: 'danger', text: `${text}. ${callErrorText(error)}` });

const tellImported = ({ added, known, leftOut }: Imported) =>
  showToast({
    tone: 'success',
    text: t('{added} added, {known} here already, {leftOut} left out', { added, known, leftOut }),
  });

const searched = new WeakMap<Person, string>();

/** What is searched of somebody: put together once, since there may be tens of thousands. */
function textOf(person: Person): string {
  let text = searched.get(person);
  if (text === undefined) {
    const { name, email, note, lines = [] } = person;
    const told = lines.filter(line => !isFileLine(line)).map(line => line.slice(line.indexOf(':') + 1));
    text = [name, email, note, ...told].join(' ').toLowerCase();
    searched.set(person, text);
  }
  return text;
}

/** The page. */
export function ContactsPage() {
  const cache = useQueryClient();
  const user = useUser();
  const { list, isPending, error, isFetching, refetch } = useContacts();
  const [text, setText] = useState('');
  const [verified, setVerified] = useState<Person | null>(null);
  const [edited, setEdited] = useState<Person | null>(null);
  const [removed, setRemoved] = useState<Person | null>(null);
  const [table, setTable] = useState<CsvFile | null>(null);
  const [cards, setCards] = useState<CardFile | null>(null);
  const [read, setRead] = useState<number | null>(null);
  const file = useRef<HTMLInputElement>(null);
  const onSettled = () => cache.invalidateQueries({ queryKey: contactsKey });
  const remove = useMutation({
    mutationFn: ({ email }: Person) => removeByAddress(email),
    onSuccess: () => showToast({ tone: 'success', text: t('Contact removed') }),
    onError: fails(t('Failed to delete contact')),
    onSettled,
  });
  const take = useMutation({
    mutationFn: async (chosen: File) => {
      if (await isCardFile(chosen)) setCards(await readCardFile(chosen, setRead));
      else setTable(await readCsv(chosen));
    },
    onSettled: () => setRead(null),
    onError: fails(t('Failed to import contacts')),
  });
  const closeFiles = () => {
    setTable(null);
    setCards(null);
  };
  const imported = (result: Imported) => {
    closeFiles();
    tellImported(result);
  };
  const wanted = text.trim().toLowerCase();
  const found = useMemo(
    () => (wanted === '' ? list.people : list.people.filter(person => textOf(person).includes(wanted))),
    [list.people, wanted],
  );
  const { shown, end } = useGrowing(found, wanted);
  const trust = useTrust(shown);
  const groups = useMemo(() => groupsByEmail(list.groups), [list.groups]);
  const own = user?.email ?? '';
  const close = () => {
    setVerified(null);
    void cache.invalidateQueries({ queryKey: ['contact-keys'] });
  };
  return (
    <SettingsPage
      title={t('Contacts')}
      text={t(
        'A contact has a key that is kept from its first use; another one blocks sending until you have reviewed it. Names, notes, groups and marks are sealed on this device.',
      )}
      action={
        <span className="flex flex-wrap gap-2">
          <Button variant="outline" size="sm" busy={take.isPending} onClick={() => file.current?.click()}>
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
              if (chosen !== undefined) take.mutate(chosen);
            }}
          />
        </span>
      }
    >
      <div className="flex flex-col gap-5">
        {read !== null && (
          <p role="status" className="text-control text-ink-2">
            {t('Reading the file: {percent} %', { percent: Math.floor(read * 100) })}
          </p>
        )}
        <ShareCode />
        <AddContact isBonusAvailable={list.isBonusAvailable} />
        {list.people.length > 0 && (
          <TextField
            label={t('Search contacts')}
            type="search"
            value={text}
            onChange={setText}
            end={<Search aria-hidden size={16} className="me-3 text-ink-3" />}
          />
        )}
        {error !== null && list.people.length === 0 ? (
          <ErrorState
            title={callErrorText(error)}
            text={t('Your contacts could not be fetched.')}
            busy={isFetching}
            onRetry={() => void refetch()}
          />
        ) : (
          <ul aria-label={t('Contacts')} className="rounded-card border border-line">
            <li className="flex min-h-16 items-center gap-3 border-b border-line px-4 py-2.5 last:border-b-0">
              <Avatar name={user?.name || own} />
              <div className="min-w-0">
                <span className="block font-medium">{t('Me')}</span>
                <bdi className="block truncate text-control text-ink-2">{own}</bdi>
              </div>
            </li>
            {isPending && (
              <li className="grid min-h-16 place-items-center">
                <Spinner />
              </li>
            )}
            {shown.map(person => (
              <ContactRow
                key={person.email}
                person={person}
                trust={trust.get(person.email)}
                groups={groups.get(person.email) ?? []}
                isBusy={remove.isPending && remove.variables.email === person.email}
                onVerify={() => setVerified(person)}
                onEdit={() => setEdited(person)}
                onRemove={() => setRemoved(person)}
              />
            ))}
            {end}
          </ul>
        )}
        {!isPending && error === null && list.people.length === 0 && (
          <EmptyState
            icon={<Users />}
            title={t('No contacts yet')}
            text={t('Add somebody by code or address')}
          />
        )}
        {list.people.length > 0 && shown.length === 0 && (
          <p role="status" className="text-center text-ink-2">
            {t('No contact matches')}
          </p>
        )}
        <GroupList groups={list.groups} />
      </div>
      {verified !== null && (
        <LazyVerifyDialog address={verified.email} name={verified.name} onClose={close} />
      )}
      {edited !== null && (
        <ContactDialog person={edited} groups={list.groups} onClose={() => setEdited(null)} />
      )}
      {table !== null && <CsvDialog file={table} onImported={imported} onClose={closeFiles} />}
      {cards !== null && <CardsDialog file={cards} onImported={imported} onClose={closeFiles} />}
      <AlertDialog
        open={removed !== null}
        title={t('Remove {person}?', { person: removed?.name || (removed?.email ?? '') })}
        confirmLabel={t('Remove')}
        cancelLabel={t('Cancel')}
        onConfirm={() => {
          if (removed !== null) remove.mutate(removed);
          setRemoved(null);
        }}
        onCancel={() => setRemoved(null)}
      >
        {t('The note and the groups go. The key stays known, so that another one is still noticed.')}
      </AlertDialog>
    </SettingsPage>
  );
}
