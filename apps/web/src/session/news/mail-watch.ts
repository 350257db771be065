// Watches the mailbox: polling, plus server-sent events that trigger an immediate poll
// (docs/interpretations.md#85). An event says only that something happened; check_new decides
// whether there is new mail.
import { loadAgain } from '../../lib/load-again.ts';
import { findStored } from '../../platform/storage.ts';
import { tellSessionLost } from '../calls/client.ts';
import { authClient } from '../calls/clients/auth.ts';
import { endTextOf, suspendedText } from '../calls/end-words.ts';
import { startEvents } from './events.ts';
import { mailboxChanged, newEmailsReceived } from './mail-news.ts';
import { startPolling } from './polling.ts';
import { mayNotify } from './watching.ts';

/** The notifier is loaded when there is something to notify about. */
function notify(event: Event): void {
  if (!mayNotify()) return;
  const { count } = (event as CustomEvent<{ count: number }>).detail;
  loadAgain(() => import('./notifier.ts'))
    .then(({ notifyOf }) => notifyOf(count))
    .catch(() => undefined);
}

/** Starts both; returns a function that stops them. */
export function startWatch(): () => void {
  const polling = startPolling();
  const stopEvents = startEvents({
    onMail: polling.askNow,
    onSuspended: () =>
      // The refusal of this call carries the reason.
      void authClient.check({}).catch(error => tellSessionLost(endTextOf(error) ?? suspendedText(undefined))),
    onChange: version => window.dispatchEvent(new CustomEvent(mailboxChanged, { detail: { version } })),
  });
  window.addEventListener(newEmailsReceived, notify);
  if (findStored('pushToken') !== null)
    import('./push-page.ts').then(({ startPushPage }) => startPushPage()).catch(() => undefined);
  return () => {
    window.removeEventListener(newEmailsReceived, notify);
    stopEvents();
    polling.stop();
  };
}
