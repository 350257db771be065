// Creates a tag, or changes the name and color of one. A separate chunk.
import type { Tag } from '@keyfold/contract';
import { TAG_NAME_MAX_CHARACTERS } from '@keyfold/contract/limits';
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { useUser } from '../../session/state/current-user.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { ColorSwatches } from './ColorSwatches.tsx';
import { freeColor } from './colors.ts';
import { useRenameTag, useSaveTag } from './mutations.ts';

type TagDialogProps = {
  /** The tag to change; null for a new one. */
  tag: Tag | null;
  onSaved?: ((tag: Tag) => void) | undefined;
  onClose: () => void;
};

/** Open while mounted. */
export function TagDialog({ tag, onSaved, onClose }: TagDialogProps) {
  const tags = useUser()?.tags ?? [];
  const [name, setName] = useState(tag?.name ?? '');
  const [color, setColor] = useState(tag?.color ?? freeColor(tags));
  const [problem, setProblem] = useState<string>();
  const save = useSaveTag();
  const rename = useRenameTag();
  const isBusy = save.isPending || rename.isPending;
  const submit = () => {
    const wanted = { name: name.trim().replace(/\s+/g, ' '), color };
    const isTaken = tags.some(
      one => one.name !== tag?.name && one.name.toLowerCase() === wanted.name.toLowerCase(),
    );
    if (wanted.name === '') return setProblem(t('Enter a tag name'));
    if (isTaken) return setProblem(t('A tag with this name already exists'));
    // Uses no callbacks of the mutation: the row that contains this dialog is unmounted together
    // with the old name.
    const saving =
      tag === null ? save.mutateAsync(wanted) : rename.mutateAsync({ name: tag.name, tag: wanted });
    saving.then(
      saved => {
        onSaved?.(saved);
        onClose();
      },
      (error: unknown) => setProblem(callErrorText(error)),
    );
  };
  return (
    <FormDialog
      title={tag === null ? t('New tag') : t('Edit tag')}
      isBusy={isBusy}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        autoFocus
        label={t('Name')}
        dir="auto"
        maxLength={TAG_NAME_MAX_CHARACTERS}
        value={name}
        error={problem}
        onChange={value => {
          setName(value);
          setProblem(undefined);
        }}
      />
      <div>
        <div className="mb-1.5 text-control font-medium">{t('Color')}</div>
        <ColorSwatches value={color} onChange={setColor} />
      </div>
    </FormDialog>
  );
}
