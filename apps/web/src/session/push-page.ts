// What an open page does where push is on: gives the service worker words for what it is to show, takes notifications of
// mail away that was read, here or elsewhere, and keeps the number on the icon right. A chunk of its own.
import { browserPush } from '../platform/push.ts';
import { keepStored } from '../platform/storage.ts';
import { pushGatherMs } from '../timing.ts';
import { client } from './client.ts';
import { mailboxChanged } from './mail-news.ts';
import { notificationsClient } from './notifications-client.ts';
import { wordsOf } from './notifier.ts';
import { pushDevice, refreshPush } from './push.ts';

/** The unread counter never falls below this (Spec §4). */
const floor = 0;
const isMailId = (name: string): boolean => name.includes('-');

let shownCount: number | null = null;

/** Takes away what was read, wherever that was, and shows the number of what was not. */
async function followMailbox(): Promise<void> {
  const device = pushDevice();
  const { data } = await client.mail.unread_count({});
  const count = Math.max(floor, data.count);
  if (count !== shownCount) {
    shownCount = count;
    keepStored('unreadCount', String(count));
    await device.setBadge(count);
    await notificationsClient.update_badge({ count, platform: device.platform });
  }
  const names = await device.shown();
  const ids = names.filter(isMailId);
  if (count === floor) return device.takeAway(names.filter(name => name !== 'test'));
  if (ids.length === 0) return;
  const { data: mails } = await client.mail.some({ ids, view: 'summary' });
  const unread = new Set(mails.filter(mail => !mail.read && !mail.deleted).map(mail => mail.id));
  await device.takeAway(ids.filter(id => !unread.has(id)));
}

let timer: ReturnType<typeof setTimeout> | undefined;
const follow = (): void => {
  clearTimeout(timer);
  timer = setTimeout(() => void followMailbox().catch(() => undefined), pushGatherMs);
};

/** Answers the service worker, which knows an id and has no key. */
function answer({ data, ports: [port] }: MessageEvent): void {
  const id: unknown = data?.pushed;
  if (port === undefined || typeof id !== 'string') return;
  wordsOf(id).then(
    words => port.postMessage(words),
    () => port.postMessage(null),
  );
}

let isStarted = false;

/** Begins, once however often it is called. */
export function startPushPage(): void {
  if (isStarted) return;
  isStarted = true;
  if (browserPush.isAble()) {
    navigator.serviceWorker.addEventListener('message', answer);
    navigator.serviceWorker.startMessages();
  }
  addEventListener(mailboxChanged, follow);
  follow();
  refreshPush().catch(() => undefined);
}
