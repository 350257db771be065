// `/app/security/recovery`: creates, replaces or removes the recovery kit; each requires the
// password. The words of an existing kit cannot be shown again, because they are not stored.
import { type FormEvent, useState } from 'react';
import { formatFullDate } from '../../lib/dates.ts';
import { t } from '../../lib/language.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import {
  confirmKit,
  type FreshKit,
  isOwnPassword,
  makeKit,
  removeKit,
} from '../../session/sign-in/own-account.ts';
import { isFactorRefusal } from '../../session/sign-in/SecondFactorField.tsx';
import { useUser } from '../../session/state/current-user.ts';
import type { OwnProof } from '../../session/trust/factor-proof.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { PrintAlone } from '../../ui/PrintAlone.tsx';
import { SettingsPage } from '../../ui/SettingsPage.tsx';
import { showToast } from '../../ui/toasts.ts';
import { RecoveryKitView } from '../auth/RecoveryKitView.tsx';
import { ProveDialog } from './ProveDialog.tsx';

type Work = 'make' | 'remove';

/** Runs operations on the kit, one at a time, and holds what each asks for. */
function useKitWork(hasFactor: boolean) {
  const [password, setPassword] = useState('');
  const [work, setWork] = useState<Work>();
  const [error, setError] = useState<unknown>();
  const [fresh, setFresh] = useState<FreshKit>();
  const [asking, setAsking] = useState<Work>();
  const run = async (what: Work, act: () => Promise<void>) => {
    if (work !== undefined) return;
    setWork(what);
    setError(undefined);
    try {
      await act();
    } catch (cause) {
      // Two-factor authentication was turned on elsewhere after this page was loaded.
      const isNews = asking === undefined && isFactorRefusal(cause);
      if (isNews) setAsking(what);
      else setError(cause);
    } finally {
      setWork(undefined);
    }
  };
  const make = (proof?: OwnProof) =>
    run('make', async () => {
      if (!(await isOwnPassword(password))) throw new Error('Incorrect password');
      if (hasFactor && proof === undefined) {
        setAsking('make');
        return;
      }
      setFresh(await makeKit(password, proof));
      setAsking(undefined);
    });
  const confirm = (kit: FreshKit) =>
    run('make', async () => {
      await confirmKit(kit);
      setFresh(undefined);
      setPassword('');
      showToast({ tone: 'success', text: t('Recovery kit saved') });
    });
  const remove = (proof: OwnProof) =>
    run('remove', async () => {
      await removeKit(password, proof);
      setAsking(undefined);
      setPassword('');
      showToast({ tone: 'success', text: t('Recovery kit removed') });
    });
  return {
    password,
    setPassword,
    work,
    error,
    setError,
    fresh,
    setFresh,
    asking,
    setAsking,
    make,
    confirm,
    remove,
  };
}

function KitState({ user }: { user: NonNullable<ReturnType<typeof useUser>> }) {
  return (
    <>
      <p className="mb-4 font-medium">
        {user.recovery_at === null
          ? t('You have no recovery kit. If you lose your password without one, you lose your mail.')
          : t('You have a recovery kit, created {date}. Its words can’t be shown again.', {
              date: formatFullDate(new Date(user.recovery_at)),
            })}
      </p>
      {user.recovery_shown_at !== null && (
        <p className="mb-4 text-ink-2">
          {t(
            'Recovery words that you were shown on {date} but didn’t confirm also open your mail. They stop working when you create and confirm a new kit.',
            { date: formatFullDate(new Date(user.recovery_shown_at)) },
          )}
        </p>
      )}
    </>
  );
}

export function RecoveryPage() {
  const user = useUser();
  const hasFactor = user !== null && (user.totp_active || user.passkeys > 0);
  const kit = useKitWork(hasFactor);
  const { password, work, error, setError, fresh, asking, setAsking, make, remove } = kit;
  if (user === null) return null;
  const hasKit = user.recovery_at !== null;
  const hasShown = user.recovery_shown_at !== null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (password !== '') void make();
  };
  return (
    <SettingsPage
      title={t('Recovery kit')}
      text={t(
        '24 words that open your mail if you lose your password. They’re created on your device, and the server never sees them.',
      )}
    >
      <KitState user={user} />
      <form noValidate onSubmit={submit} className="flex max-w-96 flex-col gap-4">
        <input type="hidden" name="username" autoComplete="username" value={user.kdf_email} />
        <PasswordField
          label={t('Password')}
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={next => {
            kit.setPassword(next);
            setError(undefined);
          }}
          error={
            fresh !== undefined || asking !== undefined || error === undefined
              ? undefined
              : callErrorText(error)
          }
        />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" busy={work === 'make' && fresh === undefined} disabled={password === ''}>
            {hasKit ? t('Create a new kit') : t('Create a recovery kit')}
          </Button>
          {(hasKit || hasShown) && (
            <Button
              variant="quietDanger"
              busy={work === 'remove'}
              disabled={password === ''}
              onClick={() => {
                // A code is valid for seconds, so it is asked for after everything else is filled
                // in.
                setError(undefined);
                if (hasFactor) setAsking('remove');
                else void remove({});
              }}
            >
              {t('Remove kit')}
            </Button>
          )}
        </div>
        {hasKit && <p className="text-control text-ink-2">{t('A new kit replaces the old one.')}</p>}
      </form>
      {fresh !== undefined && (
        <Dialog open wide locked title={t('Your recovery kit')}>
          <PrintAlone>
            <RecoveryKitView
              email={user.kdf_email}
              phrase={fresh.phrase}
              isBusy={work === 'make'}
              error={error === undefined ? undefined : callErrorText(error)}
              onConfirmed={() => void kit.confirm(fresh)}
              onLater={() => {
                kit.setFresh(undefined);
                setError(undefined);
              }}
            />
          </PrintAlone>
        </Dialog>
      )}
      {asking !== undefined && (
        <ProveDialog
          title={t('Two-factor authentication required')}
          text={t('Use your second factor to continue.')}
          submitLabel={t('Continue')}
          isBusy={work !== undefined}
          error={error}
          onSubmit={proof => void (asking === 'make' ? make(proof) : remove(proof))}
          onClose={() => {
            setAsking(undefined);
            setError(undefined);
          }}
        />
      )}
    </SettingsPage>
  );
}
