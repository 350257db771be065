// Asks for new mail every 30 seconds while the tab is seen, with some jitter so that many clients do not ask at once.
// New mail raises the window event `newEmailsReceived` (Spec §4, readings 85).
import { pollIntervalMs } from '../timing.ts';
import { client } from './client.ts';

export const newEmailsReceived = 'newEmailsReceived';

const jitterShare = 0.1;

const nextWaitMs = (): number => pollIntervalMs * (1 + jitterShare * (2 * Math.random() - 1));

/** Starts polling; returns the way to stop it. Failures are left to the next round. */
export function startPolling(): () => void {
  let lastCheck: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;

  const ask = async (): Promise<void> => {
    try {
      const answer = await client.mail.check_new(lastCheck === undefined ? {} : { last_check: lastCheck });
      lastCheck = answer.last_check;
      if (answer.has_new_emails && !isStopped) {
        window.dispatchEvent(
          new CustomEvent(newEmailsReceived, { detail: { count: answer.new_email_count } }),
        );
      }
    } catch {
      // No answer now: the next round asks for everything since the last one that came.
    }
  };
  const round = async (): Promise<void> => {
    if (document.visibilityState === 'visible') await ask();
    if (!isStopped) timer = setTimeout(() => void round(), nextWaitMs());
  };
  const onVisible = (): void => {
    if (document.visibilityState !== 'visible') return;
    clearTimeout(timer);
    void round();
  };
  document.addEventListener('visibilitychange', onVisible);
  void round();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', onVisible);
  };
}
