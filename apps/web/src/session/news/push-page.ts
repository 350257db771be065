// An open page's part in push: gives the service worker the texts for its notifications, dismisses
// notifications of messages read here or elsewhere, and keeps the icon badge correct. A separate
// chunk.
import { EMAILS_BY_ID_MAX, UNREAD_FLOOR } from '@keyfold/contract/limits';
import { endWithSession } from '../../crypto/worker/session-end.ts';
import { recieved } from '../../paths.ts';
import { pushDevice } from '../../platform/push.ts';
import { pushGatherMs } from '../../timing.ts';
import { mailClient } from '../calls/clients/mail.ts';
import { notificationsClient } from '../calls/clients/notifications.ts';
import { sessionStatus } from '../state/session-state.ts';
import { mailboxChanged } from './mail-news.ts';
import { wordsOf } from './notifier.ts';
import { endPush, isPushOn, refreshPush } from './push.ts';

/**
 * Names of notifications that cover several messages: `many` comes from the worker or this page,
 * `summary` from the server.
 */
const groupNames: readonly string[] = ['many', 'summary'];
const isMailId = (name: string): boolean => name.includes('-');

let shownCount: number | null = null;
/** Number of unread messages covered by message notifications. */
let groupCount = 0;

/**
 * Dismisses notifications of messages that were read anywhere, and shows the number of unread ones.
 */
async function followMailbox(): Promise<void> {
  const device = pushDevice();
  const { folders } = (await mailClient.counts({})).data;
  if (!isPushOn()) return;
  const count = Math.max(UNREAD_FLOOR, folders[recieved]?.unread ?? UNREAD_FLOOR);
  if (count !== shownCount) {
    shownCount = count;
    await device.setBadge(count);
    await notificationsClient.update_badge({ count, platform: device.platform });
  }
  const names = await device.shown();
  const ids = names.filter(isMailId).slice(0, EMAILS_BY_ID_MAX);
  const { data: mails } = ids.length === 0 ? { data: [] } : await mailClient.some({ ids, view: 'summary' });
  // Account notices stay, read or not, because an intruder would be the first to read the message
  // that contains the notice.
  const staying = new Set(
    mails.filter(mail => mail.alert || (!mail.read && !mail.deleted && !mail.archived)).map(mail => mail.id),
  );
  const isOver = (name: string): boolean =>
    isMailId(name)
      ? ids.includes(name) && !staying.has(name)
      : count === UNREAD_FLOOR && groupNames.includes(name);
  await device.takeAway(names.filter(isOver));
  const left = names.filter(name => !isOver(name));
  const inGroup = left.some(name => groupNames.includes(name)) ? count : left.filter(isMailId).length;
  if (inGroup === groupCount) return;
  groupCount = inGroup;
  await notificationsClient.update_group_summary({
    groupKey: 'mail',
    unreadCount: inGroup,
    platform: device.platform,
  });
}

let timer: ReturnType<typeof setTimeout> | undefined;
function follow(): void {
  clearTimeout(timer);
  timer = setTimeout(() => void followMailbox().catch(() => undefined), pushGatherMs);
}

/** Answers the service worker, which knows an id but has no key. */
function answer({ data, ports: [port] }: MessageEvent): void {
  const id: unknown = data?.pushed;
  if (port === undefined || typeof id !== 'string') return;
  wordsOf(id).then(
    words => port.postMessage(words),
    () => port.postMessage(null),
  );
}

/**
 * When the user signs out or closes the account, nothing of it stays on this device or its lock
 * screen. A session ended from elsewhere is already unregistered at the server, and its user may
 * return.
 */
function endHere(): void {
  if (sessionStatus() !== 'in' || !isPushOn()) return;
  clearTimeout(timer);
  endPush().catch(() => undefined);
}

let isStarted = false;

/**
 * Starts this after sign-in or when push is turned on: listeners once, the registration each time.
 */
export function startPushPage(): void {
  if (!isStarted) {
    isStarted = true;
    // In a browser the service worker shows pushed notifications, and asks this page for their
    // texts.
    if (pushDevice().platform === 'web' && pushDevice().isAble()) {
      navigator.serviceWorker.addEventListener('message', answer);
      navigator.serviceWorker.startMessages();
    }
    addEventListener(mailboxChanged, follow);
    endWithSession(endHere);
  }
  shownCount = null;
  follow();
  refreshPush().catch(() => undefined);
}
