// The phone's unread counter (docs/spec-map.md 4, docs/interpretations.md#60): unread messages in
// the inbox, shown on the app's icon and stored under its name in local storage. It follows the
// counts that the sidebar requests anyway. Loaded only in the native shell.
import type { OutputOf } from '@keyfold/contract';
import type { mailCalls } from '@keyfold/contract/calls/mail';
import { showBadge } from '../../native/device.ts';
import { recieved } from '../../paths.ts';
import { keepStored } from '../../platform/storage.ts';
import { queries } from '../calls/query-client.ts';
import { onStatus, sessionStatus } from '../state/session-state.ts';
import { countsKey } from './mail-news.ts';

type Counts = OutputOf<typeof mailCalls.counts>['data'];

let shown: number | null = null;

function show(count: number): void {
  if (count === shown) return;
  shown = count;
  void showBadge(count);
}

/** Starts following the counts, and clears the icon at sign-out. */
export function followUnread(): void {
  queries.getQueryCache().subscribe(({ query, type }) => {
    if (type !== 'updated' || query.queryKey[0] !== countsKey[0]) return;
    const data = query.state.data as Counts | undefined;
    if (data === undefined || sessionStatus() !== 'in') return;
    const unread = Math.max(0, data.folders[recieved]?.unread ?? 0);
    keepStored('unreadCount', String(unread));
    show(unread);
  });
  onStatus(() => {
    if (sessionStatus() === 'out') show(0);
  });
}
