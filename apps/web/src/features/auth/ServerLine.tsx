// Shows the app's server while no user is signed in, and lets the user change it: the server may
// have moved, and a start asks for one only while no user is known on the phone. Loaded only in the
// native shell.
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import { signinPath } from '../../paths.ts';
import { findOfflineAccount } from '../../platform/kept-session.ts';
import { serverOrigin } from '../../session/calls/server-origin.ts';
import { signOut } from '../../session/session.ts';
import { dropBiometrics, isBiometricOn } from '../../session/sign-in/biometric-login.ts';
import { AlertDialog } from '../../ui/AlertDialog.tsx';
import { Button } from '../../ui/Button.tsx';

/** Shows the server's name and a button; asks first if changing would lose data. */
export function ServerLine() {
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const leave = async () => {
    setBusy(true);
    await Promise.all([dropBiometrics(), signOut()]);
    // Restarts with no known user, so that the shell asks for the server.
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
          'Mail stored on this phone is removed, and biometric sign-in is turned off. Nothing on the server is deleted.',
        )}
      </AlertDialog>
    </>
  );
}
