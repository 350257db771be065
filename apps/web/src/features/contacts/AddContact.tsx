// Adds a contact by address or by share code, in one field; the input determines which of the two
// it is.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { t } from '../../lib/language.ts';
import { formatSize } from '../../lib/sizes.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { showToast } from '../../ui/toasts.ts';
import { type Added, addByAddress, addByCode } from './changes.ts';
import { contactsKey } from './queries.ts';

function tell({ name, email, isVerified, bonusBytes }: Added): void {
  const person = name || email;
  const text = isVerified
    ? t('Added {person} as a verified contact', { person })
    : t('Added {person} to contacts', { person });
  const withBonus = () =>
    t('{added}. Your first contact adds {size} of storage.', {
      added: text,
      size: formatSize(bonusBytes),
    });
  showToast({ tone: 'success', text: bonusBytes === 0 ? text : withBonus() });
}

export function AddContact({ isBonusAvailable }: { isBonusAvailable: boolean }) {
  const cache = useQueryClient();
  const [text, setText] = useState('');
  const add = useMutation({
    mutationFn: () => (text.includes('@') ? addByAddress(text) : addByCode(text)),
    onSuccess: added => {
      setText('');
      tell(added);
    },
    onSettled: () => cache.invalidateQueries({ queryKey: contactsKey }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '' && !add.isPending) add.mutate();
  };
  const problem =
    add.error === null
      ? undefined
      : t('{what}: {why}', { what: t('Failed to add contact'), why: callErrorText(add.error) });
  return (
    <form
      noValidate
      onSubmit={submit}
      className="flex items-start gap-3 max-pane:flex-col max-pane:items-stretch"
    >
      <div className="min-w-0 flex-1">
        <TextField
          label={t('Add a contact by address or share code')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={text}
          error={problem}
          hint={
            isBonusAvailable
              ? t(
                  'Adding someone by share code also verifies them. Your first contact adds 500 MB of storage.',
                )
              : t('Adding someone by share code also verifies them.')
          }
          onChange={next => {
            setText(next);
            add.reset();
          }}
        />
      </div>
      <Button type="submit" size="field" busy={add.isPending} className="mt-[26px] max-pane:mt-0">
        <UserPlus size={16} />
        {t('Add')}
      </Button>
    </form>
  );
}
