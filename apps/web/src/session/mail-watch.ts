// Watches the mailbox: polling, and server-sent events beside it that make it ask at once (readings 85). An event says
// only that something happened; whether mail is new is check_new's to say.
import { startEvents } from './events.ts';
import { mailboxChanged } from './mail-news.ts';
import { startPolling } from './polling.ts';

/** Starts both; returns the way to stop them. */
export function startWatch(): () => void {
  const polling = startPolling();
  const stopEvents = startEvents({
    onMail: polling.askNow,
    onChange: version => window.dispatchEvent(new CustomEvent(mailboxChanged, { detail: { version } })),
  });
  return () => {
    stopEvents();
    polling.stop();
  };
}
