// Name, note, groups and card of a contact. All of it is sealed; the server knows only the address.
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import { randomId } from '../../lib/random-id.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { changeAddressBook, findBook } from '../../session/trust/address-book.ts';
import {
  type Book,
  emptyBook,
  findPerson,
  type Group,
  type Person,
  withPerson,
} from '../../session/trust/pins.ts';
import { CheckboxLine } from '../../ui/CheckboxLine.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { TextArea } from '../../ui/TextArea.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { changedLines, DetailFields, draftOf } from './DetailFields.tsx';
import { groupsOf, withGroupsOf } from './groups.ts';
import { useFirst } from './long-lists.tsx';

const MAX_NAME_CHARACTERS = 100;
const MAX_NOTE_CHARACTERS = 10_000;
const isNameLine = (line: string): boolean => /^(?:[\w-]+\.)?N[;:]/i.test(line);

/**
 * Returns the contact that stores this card: the contact itself, unless several addresses share one
 * card.
 */
const cardOwnerOf = (book: Book, person: Person): Person =>
  person.cardOf === undefined ? person : (findPerson(book, person.cardOf) ?? person);

type ContactDialogProps = {
  person: Person;
  groups: readonly Group[];
  onClose: () => void;
};

export function ContactDialog({ person, groups, onClose }: ContactDialogProps) {
  const { email } = person;
  const [name, setName] = useState(person.name);
  const [note, setNote] = useState(person.note);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(groupsOf(groups, email)));
  const [newGroup, setNewGroup] = useState('');
  const [owner] = useState(() => cardOwnerOf(findBook() ?? emptyBook, person));
  const [draft, setDraft] = useState(() => draftOf(owner.lines ?? []));
  // The contact's groups at opening are listed first.
  const [own] = useState(chosen);
  const { shown, more } = useFirst([
    ...groups.filter(group => own.has(group.name)),
    ...groups.filter(group => !own.has(group.name)),
  ]);
  const save = useMutation({
    mutationFn: () =>
      changeAddressBook(book => {
        const isRenamed = name.trim() !== person.name;
        // The structured name still has the old value.
        const lines = changedLines(draft).filter(line => !(isRenamed && isNameLine(line)));
        const named = withPerson(book, email, one => ({
          ...one,
          isContact: true,
          name: name.trim(),
          note: note.trim(),
        }));
        return withGroupsOf(
          withPerson(named, owner.email, ({ lines: _lines, ...one }) => ({
            ...one,
            ...(lines.length === 0 ? {} : { lines }),
          })),
          new Map([[email, [...chosen, newGroup]]]),
          randomId,
        );
      }),
    onSuccess: onClose,
  });
  return (
    <FormDialog
      title={email}
      isBusy={save.isPending}
      problem={save.error === null ? null : callErrorText(save.error)}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextField
        autoFocus
        label={t('Name')}
        maxLength={MAX_NAME_CHARACTERS}
        value={name}
        onChange={setName}
      />
      <DetailFields draft={draft} onChange={setDraft} />
      <TextArea
        label={t('Note')}
        dir="auto"
        maxLength={MAX_NOTE_CHARACTERS}
        hint={t('Only you can read this note.')}
        value={note}
        onChange={setNote}
      />
      <fieldset className="flex flex-col gap-1">
        <legend className="mb-1.5 text-control font-medium">{t('Groups')}</legend>
        {shown.map(group => (
          <CheckboxLine
            key={group.id}
            label={group.name}
            checked={chosen.has(group.name)}
            onChange={checked =>
              setChosen(before => {
                const next = new Set(before);
                if (checked) next.add(group.name);
                else next.delete(group.name);
                return next;
              })
            }
          />
        ))}
        {more}
        <TextField
          label={t('New group')}
          maxLength={MAX_NAME_CHARACTERS}
          hint={t('To message the whole group, type its name in the To field.')}
          value={newGroup}
          onChange={setNewGroup}
        />
      </fieldset>
    </FormDialog>
  );
}
