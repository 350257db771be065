// Templates: insert one into the draft, save the draft's text as one, rename, delete. They are
// sealed on this device.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FileText, Pencil, Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { t } from '../../../lib/language.ts';
import { randomId } from '../../../lib/random-id.ts';
import { callErrorText } from '../../../session/calls/error-text.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Spinner } from '../../../ui/Spinner.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { showToast } from '../../../ui/toasts.ts';
import { removeTemplate, saveTemplate, type Template, templatesKey, useTemplates } from '../draft/queries.ts';

type TemplatesDialogProps = {
  /** The draft's text, in both forms. */
  current: { readonly html: string; readonly text: string };
  onInsert: (template: Template) => void;
  onClose: () => void;
};

const failed = (error: unknown): void => void showToast({ tone: 'danger', text: callErrorText(error) });

/** The form that names a new template or renames an existing one. */
function NameForm({
  label,
  start,
  onName,
}: {
  label: string;
  start: string;
  onName: (name: string) => void;
}) {
  const [name, setName] = useState(start);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (name.trim() !== '') onName(name.trim());
  };
  return (
    <form onSubmit={submit} className="flex items-end gap-2">
      <div className="flex-1">
        <TextField label={label} value={name} onChange={setName} maxLength={100} />
      </div>
      <Button type="submit" disabled={name.trim() === ''}>
        {t('Save')}
      </Button>
    </form>
  );
}

/** A dialog over the composer. */
export function TemplatesDialog({ current, onInsert, onClose }: TemplatesDialogProps) {
  const cache = useQueryClient();
  const { data: all, isPending, error, refetch } = useTemplates(true);
  const [renamed, setRenamed] = useState<string | null>(null);
  const onSettled = () => cache.invalidateQueries({ queryKey: templatesKey });
  const save = useMutation({ mutationFn: saveTemplate, onError: failed, onSettled });
  const remove = useMutation({ mutationFn: removeTemplate, onError: failed, onSettled });
  const isBlank = current.text.trim() === '';
  return (
    <Dialog open onClose={onClose} title={t('Templates')}>
      {isPending && <Spinner size={20} />}
      {error !== null && (
        <p role="alert" className="flex items-center gap-2 text-danger">
          {callErrorText(error)}
          <Button variant="outline" size="sm" onClick={() => void refetch()}>
            {t('Try again')}
          </Button>
        </p>
      )}
      {all?.length === 0 && (
        <p className="text-ink-2">{t('No templates yet. Write a message, then save its text here.')}</p>
      )}
      <ul aria-label={t('Templates')} className="flex flex-col gap-1">
        {all?.map(template => (
          <li key={template.id} className="flex min-h-11 items-center gap-1 rounded-control hover:bg-hover">
            {renamed === template.id ? (
              <div className="flex-1 p-2">
                <NameForm
                  label={t('Name')}
                  start={template.name}
                  onName={name => {
                    setRenamed(null);
                    save.mutate({ ...template, name });
                  }}
                />
              </div>
            ) : (
              <>
                <button
                  type="button"
                  onClick={() => onInsert(template)}
                  className="flex min-w-0 flex-1 items-center gap-2.5 rounded-control px-2.5 py-2 text-start"
                >
                  <FileText aria-hidden size={16} className="shrink-0 text-ink-2" />
                  <span className="min-w-0">
                    <bdi className="block truncate font-medium">{template.name}</bdi>
                    <bdi className="block truncate text-meta text-ink-3">{template.text}</bdi>
                  </span>
                </button>
                <IconButton
                  label={t('Rename {name}', { name: template.name })}
                  onClick={() => setRenamed(template.id)}
                >
                  <Pencil size={16} />
                </IconButton>
                <IconButton
                  label={t('Delete {name}', { name: template.name })}
                  onClick={() => remove.mutate(template.id)}
                >
                  <Trash2 size={16} />
                </IconButton>
              </>
            )}
          </li>
        ))}
      </ul>
      <div className="mt-4 border-t border-line pt-4">
        {isBlank ? (
          <p className="text-meta text-ink-3">{t('To save a template, write some text first.')}</p>
        ) : (
          <NameForm
            key={all?.length}
            label={t('Save this text as a template')}
            start=""
            onName={name => save.mutate({ id: randomId(), version: 0, name, ...current })}
          />
        )}
      </div>
    </Dialog>
  );
}
