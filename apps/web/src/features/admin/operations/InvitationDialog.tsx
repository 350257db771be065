// Creates an invitation code for a number of accounts and days. The code is shown once, to be
// copied or sent as a link.
import { INVITATION_DAYS_MAX, INVITATION_USES_MAX } from '@keyfold/contract/limits';
import { useState } from 'react';
import { t } from '../../../lib/language.ts';
import { formatCount } from '../../../lib/words.ts';
import { signupPath } from '../../../paths.ts';
import { serverOrigin } from '../../../session/calls/server-origin.ts';
import { Button } from '../../../ui/Button.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { failureText, useCreateInvitation } from './queries.ts';

const NOTE_MAX = 100;

/** Parses an integer within a range; null for anything else. */
const readNumber = (text: string, min: number, max: number): number | null =>
  /^\d{1,6}$/.test(text.trim()) && Number(text) >= min && Number(text) <= max ? Number(text) : null;

function MadeCode({ code, onClose }: { code: string; onClose: () => void }) {
  const link = `${serverOrigin()}${signupPath}#code=${code}`;
  return (
    <Dialog
      open
      title={t('Invitation created')}
      onClose={onClose}
      footer={<Button onClick={onClose}>{t('Done')}</Button>}
    >
      <p className="mb-3 text-base text-ink-2">{t('Copy the code now. It won’t be shown again.')}</p>
      {(
        [
          [t('Code'), code, t('Copy code')],
          [t('Link'), link, t('Copy link')],
        ] as const
      ).map(([name, text, label]) => (
        <div key={name} className="mb-3">
          <div className="text-control text-ink-2">{name}</div>
          <div className="flex items-center gap-2">
            <code className="min-w-0 flex-1 font-mono text-base break-all select-all" dir="ltr">
              {text}
            </code>
            <CopyButton text={text} label={label} />
          </div>
        </div>
      ))}
    </Dialog>
  );
}

/** Open while mounted. */
export function InvitationDialog({ onClose }: { onClose: () => void }) {
  const [uses, setUses] = useState('1');
  const [days, setDays] = useState('30');
  const [note, setNote] = useState('');
  const [isTried, setTried] = useState(false);
  const create = useCreateInvitation();
  const wish = {
    uses: readNumber(uses, 1, INVITATION_USES_MAX),
    days: days.trim() === '' ? null : readNumber(days, 1, INVITATION_DAYS_MAX),
  };
  const isDaysWrong = days.trim() !== '' && wish.days === null;
  if (create.data !== undefined) return <MadeCode code={create.data} onClose={onClose} />;
  const submit = () => {
    setTried(true);
    if (wish.uses === null || isDaysWrong) return;
    create.mutate({ uses: wish.uses, days: wish.days, note: note.trim() });
  };
  const range = (max: number) => t('Enter a whole number from 1 to {max}', { max: formatCount(max) });
  return (
    <FormDialog
      title={t('New invitation')}
      submitLabel={t('Create invitation code')}
      isBusy={create.isPending}
      problem={create.error === null ? null : failureText(t('Couldn’t create the invitation'), create.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={t('Accounts')}
        inputMode="numeric"
        value={uses}
        onChange={setUses}
        hint={t('Number of accounts that can be created with this code')}
        error={isTried && wish.uses === null ? range(INVITATION_USES_MAX) : undefined}
      />
      <TextField
        label={t('Valid for (days)')}
        inputMode="numeric"
        value={days}
        onChange={setDays}
        hint={t('Leave empty for no expiry')}
        error={isTried && isDaysWrong ? range(INVITATION_DAYS_MAX) : undefined}
      />
      <TextField
        label={t('Note')}
        dir="auto"
        maxLength={NOTE_MAX}
        value={note}
        onChange={setNote}
        hint={t('Shown in the list, for example the recipient’s name')}
      />
    </FormDialog>
  );
}
