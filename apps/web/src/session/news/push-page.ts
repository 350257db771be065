// What an open page does where push is on: gives the service worker words for what it is to show, takes notifications of
// mail away that was read, here or elsewhere, and keeps the number on the icon right. A chunk of its own.
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

/** Names of notifications that stand for many mails: of the worker or this page, and of the server. */
const groupNames: readonly string[] = ['many', 'summary'];
const isMailId = (name: string): boolean => name.includes('-');

let shownCount: number | null = null;
/** Unread mails that notifications of mail stand for. */
let groupCount = 0;

/** Takes away what was read, wherever that was, and shows the number of what was not. */
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
  // Notices about the account stay, read or not: whoever has got in reads the notice of that first.
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

/** Answers the service worker, which knows an id and has no key. */
function answer({ data, ports: [port] }: MessageEvent): void {
  const id: unknown = data?.pushed;
  if (port === undefined || typeof id !== 'string') return;
  wordsOf(id).then(
    words => port.postMessage(words),
    () => port.postMessage(null),
  );
}

/**
 * Somebody signs out, or closes the account: nothing of it stays on this device, on no locked screen either. A session that
 * was ended from elsewhere has none at the server any more, and its person may come back.
 */
function endHere(): void {
  if (sessionStatus() !== 'in' || !isPushOn()) return;
  clearTimeout(timer);
  endPush().catch(() => undefined);
}

let isStarted = false;

/** Begins, when somebody has come in or has switched it on: the ears once, the registration each time. */
export function startPushPage(): void {
  if (!isStarted) {
    isStarted = true;
    // In a browser the service worker shows what is pushed, and asks.
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
