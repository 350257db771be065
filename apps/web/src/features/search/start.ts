// Starts the search worker, notifies it of new mail, and pauses it when it should leave the device
// and the network to other work: in a hidden tab, offline, on low battery, with data saving on, and
// while the user scrolls a list.
import { searchIndex, startSearch } from '../../crypto/search-client.ts';
import { queries } from '../../session/calls/query-client.ts';
import {
  listsKey,
  mailboxChanged,
  newEmailsReceived,
  summariesMended,
} from '../../session/news/mail-news.ts';
import { SEARCH_AFTER_LIST_MS, SEARCH_CHANGES_MS } from '../../timing.ts';
import { setSearchView } from './search-state.ts';

type Battery = EventTarget & { readonly charging: boolean; readonly level: number };
type Connection = EventTarget & { readonly saveData?: boolean; readonly effectiveType?: string };
type Device = Navigator & { readonly connection?: Connection; readonly getBattery?: () => Promise<Battery> };

const LOW_BATTERY = 0.2;
let battery: Battery | null = null;
let isStarted = false;

function isQuiet(): boolean {
  const { connection } = navigator as Device;
  const isSlow = connection?.saveData === true || /^(slow-)?2g$/.test(connection?.effectiveType ?? '');
  const isLow = battery !== null && !battery.charging && battery.level < LOW_BATTERY;
  return document.visibilityState === 'hidden' || !navigator.onLine || isSlow || isLow;
}

let isBusy = false;

function tellMood(): void {
  void searchIndex()
    .then(index => index.setMood({ isQuiet: isQuiet(), isBusy }))
    .catch(() => undefined);
}

/**
 * Pages of a list load faster, and use less memory, when the index reads nothing at the same time.
 */
function restWhileListsCome(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const setBusy = (next: boolean): void => {
    if (isBusy === next) return;
    isBusy = next;
    tellMood();
  };
  queries.getQueryCache().subscribe(({ query, type }) => {
    const [name, , asked] = query.queryKey;
    if (type !== 'updated' || query.state.fetchStatus !== 'fetching' || name !== listsKey[0]) return;
    // Hits are requested again while the index grows; these requests must not pause it.
    if ((asked as { readonly search?: string } | undefined)?.search !== undefined) return;
    setBusy(true);
    clearTimeout(timer);
    timer = setTimeout(() => setBusy(false), SEARCH_AFTER_LIST_MS);
  });
}

/** Starts the search worker once per page load. */
export function ensureSearch(): void {
  if (isStarted) return;
  isStarted = true;
  startSearch(index => setSearchView({ index }));
  searchIndex().catch(() => setSearchView({ hasIndexFailed: true }));
  const lookAgain = (): void => {
    void searchIndex()
      .then(index => index.lookAgain())
      .catch(() => undefined);
  };
  addEventListener(newEmailsReceived, lookAgain);
  addEventListener(summariesMended, event => {
    const { ids } = (event as CustomEvent<{ readonly ids: readonly string[] }>).detail;
    void searchIndex()
      .then(index => index.readAgain(ids))
      .catch(() => undefined);
  });
  // Sent messages, and messages that a rule has moved, arrive without a notification.
  let changesTimer: ReturnType<typeof setTimeout> | undefined;
  addEventListener(mailboxChanged, () => {
    if (changesTimer !== undefined) return;
    changesTimer = setTimeout(() => {
      changesTimer = undefined;
      lookAgain();
    }, SEARCH_CHANGES_MS);
  });
  restWhileListsCome();
  addEventListener('online', tellMood);
  addEventListener('offline', tellMood);
  document.addEventListener('visibilitychange', tellMood);
  const { connection, getBattery } = navigator as Device;
  connection?.addEventListener('change', tellMood);
  void getBattery
    ?.call(navigator)
    .then(found => {
      battery = found;
      for (const name of ['chargingchange', 'levelchange']) found.addEventListener(name, tellMood);
      tellMood();
    })
    .catch(() => undefined);
  tellMood();
}
