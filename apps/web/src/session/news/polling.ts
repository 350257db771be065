// Polls for new mail every 30 seconds while the tab is visible or may notify, with some jitter so
// that many clients do not poll at once. New mail raises the window event `newEmailsReceived`
// (docs/spec-map.md 4.24, 4.25, docs/interpretations.md#85). Server-sent events trigger an earlier
// poll. So does any call that got no response: changes wait until the server is known to respond
// again (query-client.ts).
import { isOnline } from '../../lib/online.ts';
import { POLL_INTERVAL_MS, unansweredRetryMs } from '../../timing.ts';
import { mailClient } from '../calls/clients/mail.ts';
import { isReachable, subscribeReachable } from '../calls/reachability.ts';
import { newEmailsReceived } from './mail-news.ts';
import { isWatching } from './watching.ts';

const JITTER_SHARE = 0.1;

const jittered = (ms: number): number => ms * (1 + JITTER_SHARE * (2 * Math.random() - 1));

export type Polling = {
  /** Polls immediately, or again after the poll in progress. */
  readonly askNow: () => void;
  readonly stop: () => void;
};

/** Starts polling. Failures are left to the next round. */
export function startPolling(): Polling {
  let lastCheck: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  let isAsking = false;
  let isAskedAgain = false;
  let tries = 0;

  const ask = async (): Promise<void> => {
    try {
      const answer = await mailClient.check_new(lastCheck === undefined ? {} : { last_check: lastCheck });
      lastCheck = answer.last_check;
      if (answer.has_new_emails && !isStopped) {
        window.dispatchEvent(
          new CustomEvent(newEmailsReceived, { detail: { count: answer.new_email_count } }),
        );
      }
    } catch {
      // No response: the next round covers everything since the last successful poll.
    }
  };
  const round = async (): Promise<void> => {
    clearTimeout(timer);
    // Two concurrent polls would both report the same mail.
    if (isAsking) {
      isAskedAgain = true;
      return;
    }
    isAsking = true;
    do {
      isAskedAgain = false;
      if (isWatching()) await ask();
    } while (isAskedAgain && !isStopped);
    isAsking = false;
    plan();
  };
  const plan = (): void => {
    clearTimeout(timer);
    if (isStopped) return;
    const isMissed = isOnline() && !isReachable();
    const waitMs = isMissed ? Math.min(unansweredRetryMs * 2 ** tries, POLL_INTERVAL_MS) : POLL_INTERVAL_MS;
    tries = isMissed ? tries + 1 : 0;
    timer = setTimeout(() => void round(), jittered(waitMs));
  };
  const stopLooking = subscribeReachable(() => {
    if (!isAsking && isOnline() && !isReachable()) plan();
  });
  const onVisible = (): void => {
    if (isWatching()) void round();
  };
  document.addEventListener('visibilitychange', onVisible);
  void round();
  return {
    askNow: onVisible,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
      stopLooking();
      document.removeEventListener('visibilitychange', onVisible);
    },
  };
}
