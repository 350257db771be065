// Stands where the sign-in form would be while the server cannot be reached: the way to the mail that this device keeps,
// or a quiet word that there is none. Goes on by itself once there is an answer.
import { CloudOff } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { t } from '../../lib/language.ts';
import { loadChunk } from '../../lib/load-chunk.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { isNative } from '../../native/is-native.ts';
import { findOfflineAccount } from '../../platform/kept-session.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { enterAgain } from '../../session/session.ts';
import { ENTRY_RETRY_MS } from '../../timing.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { showToast } from '../../ui/toasts.ts';
import { OfflineUnlock } from './OfflineUnlock.tsx';

const ServerLine = lazy(async () => ({
  default: (await loadChunk('server-line', () => import('./ServerLine.tsx'))).ServerLine,
}));

/** What is no answer changes nothing; what is a wrong one is said. */
const goOn = (): Promise<void> =>
  enterAgain().catch(error => void showToast({ tone: 'danger', text: callErrorText(error) }));

/** Asks for the server when the network returns, every few seconds, and when it is told to. */
function useReconnect(isHeld: boolean) {
  const [isAsking, setAsking] = useState(false);
  const ask = () => {
    setAsking(true);
    void goOn().finally(() => setAsking(false));
  };
  useEffect(() => {
    if (isHeld) return;
    const askQuietly = () => void goOn();
    const timer = setInterval(askQuietly, ENTRY_RETRY_MS);
    addEventListener('online', askQuietly);
    return () => {
      clearInterval(timer);
      removeEventListener('online', askQuietly);
    };
  }, [isHeld]);
  return { isAsking, ask };
}

/** The page without a server. */
export function OfflinePage() {
  usePageTitle(t('You are offline'));
  const [isUnlocking, setUnlocking] = useState(false);
  const { isAsking, ask } = useReconnect(isUnlocking);
  const account = findOfflineAccount();
  return (
    <>
      <h1 className="mb-4 text-page font-semibold tracking-tight">{t('You are offline')}</h1>
      <Banner tone={account === null ? 'neutral' : 'warn'} role="status" icon={<CloudOff size={16} />}>
        {account === null
          ? t('There is no connection to Keyfold now. This page goes on by itself when it is back.')
          : t('Keyfold cannot be reached. Mail that you have seen on this device opens with your password.')}
      </Banner>
      {account === null ? (
        <p className="mt-5 mb-5 text-ink-2">
          {t(
            'Mail opens without a connection only on devices where you signed in with “Keep me signed in on this device”.',
          )}
        </p>
      ) : (
        <OfflineUnlock email={account.email} isBusy={isUnlocking} onBusyChange={setUnlocking} />
      )}
      <Button variant="outline" size="lg" full busy={isAsking} onClick={ask}>
        {t('Try to connect again')}
      </Button>
      {isNative() && (
        <Suspense>
          <div className="mt-5">
            <ServerLine />
          </div>
        </Suspense>
      )}
    </>
  );
}
