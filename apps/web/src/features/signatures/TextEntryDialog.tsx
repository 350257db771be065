// Editor of a named rich text: a signature or a template. A separate chunk; the rich-text editor is
// in another.
import { type ReactNode, useState } from 'react';
import { t } from '../../lib/language.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { LazyRichEditor } from '../compose/rich/LazyRichEditor.tsx';

export type NamedText = {
  readonly name: string;
  readonly html: string;
  readonly text: string;
};

type TextEntryDialogProps = {
  title: string;
  /** Label of the text field. */
  textLabel: string;
  start: NamedText;
  maxCharacters: { readonly html: number; readonly text: number };
  isBusy: boolean;
  refusal: string | null;
  onSave: (entry: NamedText) => void;
  onClose: () => void;
  /** Additional settings of the entry. */
  children?: ReactNode;
};

/** Open while mounted. */
export function TextEntryDialog(props: TextEntryDialogProps) {
  const { title, textLabel, start, maxCharacters, isBusy, refusal, onSave, onClose, children } = props;
  const [entry, setEntry] = useState(start);
  const [problem, setProblem] = useState<string>();
  const isTooLong = entry.html.length > maxCharacters.html || entry.text.length > maxCharacters.text;
  const submit = () => {
    if (entry.name.trim() === '') setProblem(t('Enter a name'));
    else if (!isTooLong) onSave({ ...entry, name: entry.name.trim() });
  };
  return (
    <FormDialog
      wide
      title={title}
      isBusy={isBusy}
      problem={isTooLong ? t('The text is too long to save.') : refusal}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        autoFocus
        label={t('Name')}
        maxLength={100}
        value={entry.name}
        error={problem}
        onChange={name => {
          setEntry(before => ({ ...before, name }));
          setProblem(undefined);
        }}
      />
      <div>
        <div className="mb-1.5 text-control font-medium">{textLabel}</div>
        <div className="flex min-h-56 flex-col overflow-hidden rounded-control border border-line-strong bg-surface">
          <LazyRichEditor
            label={textLabel}
            html={start.html}
            onChange={({ html, text }, isOwn) => isOwn && setEntry(before => ({ ...before, html, text }))}
          />
        </div>
      </div>
      {children}
    </FormDialog>
  );
}
