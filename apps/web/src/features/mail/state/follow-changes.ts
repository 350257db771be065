// Follows changes of the mailbox made elsewhere: fetches lists and counts again when the server's
// version is newer than that of the counts. Limits requests: the user's own changes refresh by
// themselves, many changes cause one refresh, and none happens while changes are being sent,
// because an older response would revert their rows.
import type { QueryClient } from '@tanstack/react-query';
import { mailboxChanged } from '../../../session/news/mail-news.ts';
import { CHANGES_GATHER_MS, CHANGES_PAUSE_MS } from '../../../timing.ts';
import { countsKey, flagChangesKey } from './mail-cache.ts';
import { refreshMail } from './mutations.ts';

/**
 * Returns the version of the shown counts. Without counts, nothing that could be outdated is shown.
 */
const knownVersion = (cache: QueryClient): number =>
  cache.getQueryData<{ readonly version?: number }>(countsKey)?.version ?? Number.POSITIVE_INFINITY;

/** Starts following. Returns the function that stops it. */
export function followChanges(cache: QueryClient): () => void {
  let wanted = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let restUntilMs = 0;

  const look = async (): Promise<void> => {
    timer = undefined;
    if (
      cache.isMutating({ mutationKey: flagChangesKey }) > 0 ||
      cache.isFetching({ queryKey: countsKey }) > 0
    ) {
      schedule(CHANGES_GATHER_MS);
      return;
    }
    if (wanted <= knownVersion(cache)) return;
    restUntilMs = Date.now() + CHANGES_PAUSE_MS;
    await refreshMail(cache);
  };
  const schedule = (afterMs: number): void => {
    const waitMs = Math.max(afterMs, restUntilMs - Date.now());
    timer ??= setTimeout(() => void look().catch(() => undefined), waitMs);
  };
  const onChange = (event: Event): void => {
    const version = event instanceof CustomEvent ? Number(event.detail?.version) : 0;
    if (!(version > wanted)) return;
    wanted = version;
    schedule(CHANGES_GATHER_MS);
  };
  addEventListener(mailboxChanged, onChange);
  return () => {
    clearTimeout(timer);
    removeEventListener(mailboxChanged, onChange);
  };
}
