// The groups of the address book with their sizes; each can be renamed. Members are chosen in a
// separate dialog.
import { useMutation } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { changeAddressBook } from '../../session/trust/address-book.ts';
import type { Group } from '../../session/trust/pins.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { isNameTaken, withGroupName } from './groups.ts';
import { useFirst } from './long-lists.tsx';

const MAX_NAME_CHARACTERS = 100;

type GroupListProps = {
  groups: readonly Group[];
};

/** Renders nothing without groups. */
export function GroupList({ groups }: GroupListProps) {
  const [renamed, setRenamed] = useState<Group | null>(null);
  const { shown, more } = useFirst(groups);
  if (groups.length === 0) return null;
  return (
    <section className="flex flex-col gap-2">
      <h2 className="text-pane font-semibold">{t('Groups')}</h2>
      <ul aria-label={t('Groups')} className="rounded-card border border-line">
        {shown.map(group => (
          <li
            key={group.id}
            className="flex min-h-12 items-center gap-3 border-b border-line px-4 py-1.5 last:border-b-0"
          >
            <bdi className="min-w-0 flex-1 truncate font-medium">{group.name}</bdi>
            <span className="text-control text-ink-2">
              {t('{count, plural, one {# person} other {# people}}', { count: group.emails.length })}
            </span>
            <IconButton
              label={t('Rename group {name}', { name: group.name })}
              onClick={() => setRenamed(group)}
            >
              <Pencil size={16} />
            </IconButton>
          </li>
        ))}
      </ul>
      {more}
      {renamed !== null && (
        <GroupDialog key={renamed.id} group={renamed} groups={groups} onClose={() => setRenamed(null)} />
      )}
    </section>
  );
}

type GroupDialogProps = {
  group: Group;
  groups: readonly Group[];
  onClose: () => void;
};

function GroupDialog({ group: { id, name: before }, groups, onClose }: GroupDialogProps) {
  const [name, setName] = useState(before);
  const isTaken = isNameTaken(groups, id, name);
  const save = useMutation({
    mutationFn: () => changeAddressBook(book => withGroupName(book, id, name)),
    onSuccess: onClose,
  });
  return (
    <FormDialog
      title={t('Rename group')}
      isBusy={save.isPending}
      disabled={isTaken || name.trim() === ''}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextField
        autoFocus
        label={t('Name')}
        maxLength={MAX_NAME_CHARACTERS}
        value={name}
        error={
          isTaken
            ? t('A group with this name already exists')
            : save.error === null
              ? undefined
              : callErrorText(save.error)
        }
        onChange={setName}
      />
    </FormDialog>
  );
}
