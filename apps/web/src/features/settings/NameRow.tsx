// The name that others see, edited in place: saved on blur or Enter.
import { NAME_MAX_CHARACTERS } from '@keyfold/contract/limits';
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { TextField } from '../../ui/TextField.tsx';
import { useChangeName } from './queries.ts';

export function NameRow({ name }: { name: string }) {
  const [typed, setTyped] = useState(name);
  const change = useChangeName();
  const save = () => {
    const next = typed.trim();
    if (next !== '' && next !== name && !change.isPending) change.mutate(next);
  };
  const isEmpty = typed.trim() === '';
  const failed = change.isError
    ? t('{what}: {why}', { what: t('Failed to change name'), why: callErrorText(change.error) })
    : undefined;
  return (
    <form
      className="border-b border-line pb-4"
      onSubmit={event => {
        event.preventDefault();
        save();
      }}
    >
      <div className="max-w-96">
        <TextField
          label={t('Name')}
          dir="auto"
          autoComplete="name"
          maxLength={NAME_MAX_CHARACTERS}
          value={typed}
          busy={change.isPending}
          onChange={next => {
            setTyped(next);
            change.reset();
          }}
          onBlur={save}
          hint={t('Others see it next to your address.')}
          error={isEmpty ? t('Enter a name. Others see it next to your address.') : failed}
          end={
            <span role="status" className="pe-3 text-control text-success">
              {change.isSuccess ? t('Saved') : ''}
            </span>
          }
        />
      </div>
    </form>
  );
}
