// `/app/config/contacts`: the user first, then all contacts with the trust state of their keys;
// share codes, adding, groups, and vCard or CSV files (docs/spec-map.md 2, 4,
// docs/interface.md#verifying-people).
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Search, Users } from 'lucide-react';
import { useMemo, useState } from 'react';
import { t } from '../../lib/language.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { useUser } from '../../session/state/current-user.ts';
import { groupsByEmail, type Person } from '../../session/trust/pins.ts';
import { AlertDialog } from '../../ui/AlertDialog.tsx';
import { Avatar } from '../../ui/Avatar.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { SettingsPage } from '../../ui/SettingsPage.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { showToast } from '../../ui/toasts.ts';
import { AddContact } from './AddContact.tsx';
import { ContactDialog } from './ContactDialog.tsx';
import { FileActions, ReadShare, useContactFiles } from './ContactFiles.tsx';
import { ContactRow } from './ContactRow.tsx';
import { removeByAddress } from './changes.ts';
import { GroupList } from './GroupList.tsx';
import { isFileLine } from './import-people.ts';
import { LazyVerifyDialog } from './LazyVerifyDialog.tsx';
import { useGrowing } from './long-lists.tsx';
import { contactsKey, useContacts, useTrust } from './queries.ts';
import { ShareCode } from './ShareCode.tsx';

const searched = new WeakMap<Person, string>();

/** Returns the searchable text of a contact, built once because there may be tens of thousands. */
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

function OwnRow() {
  const user = useUser();
  const own = user?.email ?? '';
  return (
    <li className="flex min-h-16 items-center gap-3 border-b border-line px-4 py-2.5 last:border-b-0">
      <Avatar name={user?.name || own} />
      <div className="min-w-0">
        <span className="block font-medium">{t('Me')}</span>
        <bdi className="block truncate text-control text-ink-2">{own}</bdi>
      </div>
    </li>
  );
}

/** The empty state of the list. */
function NothingFound({ isEmpty, count }: { isEmpty: boolean; count: number }) {
  if (isEmpty)
    return (
      <EmptyState
        icon={<Users />}
        title={t('No contacts yet')}
        text={t('Add a contact by address or share code')}
      />
    );
  if (count > 0) return null;
  return (
    <p role="status" className="text-center text-ink-2">
      {t('No contacts match')}
    </p>
  );
}

function SearchField({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  return (
    <TextField
      label={t('Search contacts')}
      type="search"
      value={text}
      onChange={onChange}
      end={<Search aria-hidden size={16} className="me-3 text-ink-3" />}
    />
  );
}

type RemoveQuestionProps = {
  person: Person | null;
  onConfirm: (person: Person) => void;
  onCancel: () => void;
};

function RemoveQuestion({ person, onConfirm, onCancel }: RemoveQuestionProps) {
  return (
    <AlertDialog
      open={person !== null}
      title={t('Remove {person}?', { person: person?.name || (person?.email ?? '') })}
      confirmLabel={t('Remove')}
      cancelLabel={t('Cancel')}
      onConfirm={() => person !== null && onConfirm(person)}
      onCancel={onCancel}
    >
      {t(
        'This deletes their details and note and removes them from your groups. Their key is remembered, so you’ll be warned if it changes.',
      )}
    </AlertDialog>
  );
}

export function ContactsPage() {
  const cache = useQueryClient();
  const { list, isPending, error, isFetching, refetch } = useContacts();
  const [text, setText] = useState('');
  const [verified, setVerified] = useState<Person | null>(null);
  const [edited, setEdited] = useState<Person | null>(null);
  const [removed, setRemoved] = useState<Person | null>(null);
  const onSettled = () => cache.invalidateQueries({ queryKey: contactsKey });
  const files = useContactFiles();
  const remove = useMutation({
    mutationFn: ({ email }: Person) => removeByAddress(email),
    onSuccess: () => showToast({ tone: 'success', text: t('Contact removed') }),
    onError: failure =>
      showToast({
        tone: 'danger',
        text: t('{what}: {why}', { what: t('Failed to delete contact'), why: callErrorText(failure) }),
      }),
    onSettled,
  });
  const wanted = text.trim().toLowerCase();
  const found = useMemo(
    () => (wanted === '' ? list.people : list.people.filter(person => textOf(person).includes(wanted))),
    [list.people, wanted],
  );
  const { shown, end } = useGrowing(found, wanted);
  const trust = useTrust(shown);
  const groups = useMemo(() => groupsByEmail(list.groups), [list.groups]);
  const close = () => {
    setVerified(null);
    void cache.invalidateQueries({ queryKey: ['contact-keys'] });
  };
  return (
    <SettingsPage
      title={t('Contacts')}
      text={t(
        'If a contact’s key changes, sending to them is blocked until you review it. Names, notes, groups and verifications are encrypted on this device.',
      )}
      action={<FileActions list={list} isReading={files.isReading} onFile={files.take} />}
    >
      <div className="flex flex-col gap-5">
        <ReadShare share={files.share} />
        <ShareCode />
        <AddContact isBonusAvailable={list.isBonusAvailable} />
        {list.people.length > 0 && <SearchField text={text} onChange={setText} />}
        {error !== null && list.people.length === 0 ? (
          <ErrorState
            title={callErrorText(error)}
            text={t('Couldn’t load your contacts.')}
            busy={isFetching}
            onRetry={() => void refetch()}
          />
        ) : (
          <ul aria-label={t('Contacts')} className="rounded-card border border-line">
            <OwnRow />
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
        {/* Contacts of the address book are shown without the server's list. */}
        {(list.people.length > 0 || (!isPending && error === null)) && (
          <NothingFound isEmpty={list.people.length === 0} count={shown.length} />
        )}
        <GroupList groups={list.groups} />
      </div>
      {verified !== null && (
        <LazyVerifyDialog address={verified.email} name={verified.name} onClose={close} />
      )}
      {edited !== null && (
        <ContactDialog person={edited} groups={list.groups} onClose={() => setEdited(null)} />
      )}
      {files.dialog}
      <RemoveQuestion
        person={removed}
        onConfirm={person => {
          remove.mutate(person);
          setRemoved(null);
        }}
        onCancel={() => setRemoved(null)}
      />
    </SettingsPage>
  );
}
