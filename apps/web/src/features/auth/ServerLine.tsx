// Which server an app asks, where nobody is in, and the way to another: it may have moved, and a start asks for the server
// only while nobody is known on the phone. Fetched in the shell alone.
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import { signinPath } from '../../paths.ts';
import { findOfflineAccount } from '../../platform/kept-session.ts';
import { serverOrigin } from '../../session/calls/server-origin.ts';
import { signOut } from '../../session/session.ts';
import { dropBiometrics, isBiometricOn } from '../../session/sign-in/biometric-login.ts';
import { AlertDialog } from '../../ui/AlertDialog.tsx';
import { Button } from '../../ui/Button.tsx';

/** Its name, and a button; who loses something by it is asked first. */
export function ServerLine() {
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const leave = async () => {
    setBusy(true);
    await Promise.all([dropBiometrics(), signOut()]);
    // A start with nobody known: the shell asks for the server.
    location.assign(signinPath);
  };
  const ask = () => {
    if (isBiometricOn() || findOfflineAccount() !== null) setAsking(true);
    else void leave();
  };
  return (
    <>
      <p className="flex flex-wrap items-center justify-center gap-x-2 text-control text-ink-2">
        <bdi className="break-all">{t('Server: {host}', { host: new URL(serverOrigin()).host })}</bdi>
        <Button variant="quiet" size="sm" busy={isBusy && !isAsking} onClick={ask}>
          {t('Change server')}
        </Button>
      </p>
      <AlertDialog
        open={isAsking}
        title={t('Change server?')}
        confirmLabel={t('Change server')}
        busy={isBusy}
        onConfirm={() => void leave()}
        onCancel={() => setAsking(false)}
      >
        {t(
          'What this phone keeps of your mail is removed, and biometric sign-in goes off. Nothing is lost on the server.',
        )}
      </AlertDialog>
    </>
  );
}
