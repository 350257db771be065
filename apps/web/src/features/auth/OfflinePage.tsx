// Replaces the sign-in form while the server is unreachable: leads to the mail cached on this
// device, or says that there is none. Continues by itself once the server answers.
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

/** No answer changes nothing; a wrong answer is reported. */
const goOn = (): Promise<void> =>
  enterAgain().catch(error => void showToast({ tone: 'danger', text: callErrorText(error) }));

/** Retries the server when the network returns, every few seconds, and on request. */
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

/** The page shown while the server is unreachable. */
export function OfflinePage() {
  usePageTitle(t('You’re offline'));
  const [isUnlocking, setUnlocking] = useState(false);
  const { isAsking, ask } = useReconnect(isUnlocking);
  const account = findOfflineAccount();
  return (
    <>
      <h1 className="mb-4 text-page font-semibold tracking-tight">{t('You’re offline')}</h1>
      <Banner tone={account === null ? 'neutral' : 'warn'} role="status" icon={<CloudOff size={16} />}>
        {account === null
          ? t('Can’t connect to Keyfold. This page continues automatically when the connection is back.')
          : t('Can’t connect to Keyfold. Your password unlocks the mail you’ve already seen on this device.')}
      </Banner>
      {account === null ? (
        <p className="mt-5 mb-5 text-ink-2">
          {t(
            'Mail is available offline only on devices where you signed in with “Keep me signed in on this device”.',
          )}
        </p>
      ) : (
        <OfflineUnlock email={account.email} isBusy={isUnlocking} onBusyChange={setUnlocking} />
      )}
      <Button variant="outline" size="lg" full busy={isAsking} onClick={ask}>
        {t('Reconnect')}
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
