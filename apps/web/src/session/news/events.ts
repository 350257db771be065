// The stream of server-sent events (docs/api-conventions.md#mail). Open while the session lives and
// the tab is visible or may notify; reopened after a pause when the server refuses or breaks it.
// Without it, polling does everything, a little later.
import { eventsCalls } from '@keyfold/contract/calls/events';
import { EVENTS_RETRY_MAX_MS, EVENTS_RETRY_MS } from '../../timing.ts';
import { isWatching } from './watching.ts';

export type EventListeners = {
  readonly onMail: () => void;
  /**
   * Anything changed, including new mail. Receives the mailbox version, which the counts response
   * carries too.
   */
  readonly onChange: (version: number) => void;
  /** The account was suspended. */
  readonly onSuspended: () => void;
};

function versionOf(event: MessageEvent<unknown>): number | null {
  try {
    const { version } = JSON.parse(String(event.data)) as { version?: unknown };
    return typeof version === 'number' ? version : null;
  } catch {
    return null;
  }
}

/** Starts listening; returns a function that stops it. */
export function startEvents({ onMail, onChange, onSuspended }: EventListeners): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;

  const close = (): void => {
    clearTimeout(timer);
    source?.close();
    source = null;
  };
  /** The browser reconnects a broken connection itself, but treats a refusal as final. */
  const onError = (): void => {
    if (source?.readyState !== EventSource.CLOSED) return;
    close();
    const waitMs = Math.min(EVENTS_RETRY_MAX_MS, EVENTS_RETRY_MS * 2 ** failures);
    failures += 1;
    timer = setTimeout(open, waitMs * (0.5 + Math.random()));
  };
  const open = (): void => {
    close();
    if (!isWatching()) return;
    source = new EventSource(eventsCalls.stream.path);
    source.addEventListener('open', () => {
      failures = 0;
    });
    source.addEventListener('error', onError);
    const change = (event: MessageEvent<unknown>): void => {
      const version = versionOf(event);
      if (version !== null) onChange(version);
    };
    source.addEventListener('mail', event => {
      onMail();
      change(event);
    });
    source.addEventListener('change', change);
    source.addEventListener('suspended', onSuspended);
  };
  const onVisibility = (): void => {
    if (!isWatching()) close();
    else if (source === null) open();
  };
  document.addEventListener('visibilitychange', onVisibility);
  open();
  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    close();
  };
}
