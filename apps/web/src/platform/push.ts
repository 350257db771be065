// How this device is reached while no page is open: what the settings switch on and off, and what takes notifications away
// again. The form for browsers stands here; the app brings its own (session/news/phone-push.ts), with the same interface. Nothing
// of it is in the first load.
import { type NotifyPermission, notifyPermission } from './notifications.ts';
import { keepStored } from './storage.ts';

/** What a device says of itself (docs/spec-map.md 3). */
export type DeviceInfo = {
  readonly model: string;
  readonly platform: string;
  readonly operatingSystem: string;
  readonly osVersion: string;
};

/** Words of a notification by the type of what was pushed; `{count}` stands for unread mails. */
export type PushWords = Readonly<
  Record<'mail' | 'security' | 'summary' | 'test', { title: string; body: string }>
>;

export type PushDevice = {
  readonly platform: 'android' | 'ios' | 'web' | 'unifiedpush';
  /** Whether it can be reached at all. */
  readonly isAble: () => boolean;
  /** Whether it may notify; nobody is asked. */
  readonly findPermission: () => Promise<NotifyPermission>;
  readonly info: () => Promise<DeviceInfo>;
  /** What the server sends to, as it is registered; null while nothing is subscribed. */
  readonly findToken: () => Promise<string | null>;
  /** Subscribes; in the app the person is asked first, in a browser they have allowed notifications before. `serverKey` is the server's, base64url. Rejects. */
  readonly subscribe: (serverKey: string) => Promise<string>;
  /** Ends the subscription, takes every notification away and the number off the icon. */
  readonly end: () => Promise<void>;
  /** Keeps the plain words in the language of the page, for when no page is open. */
  readonly keepWords: (words: PushWords) => Promise<void>;
  /** Names of the notifications that are shown: ids of mails, and others. */
  readonly shown: () => Promise<readonly string[]>;
  /** Takes notifications of these names away. */
  readonly takeAway: (names: readonly string[]) => Promise<void>;
  /** Shows and keeps the number of unread mails on the program's icon, at least 0. */
  readonly setBadge: (count: number) => Promise<void>;
};

const findRegistration = async (): Promise<ServiceWorkerRegistration | null> =>
  (await navigator.serviceWorker?.getRegistration()) ?? null;

async function getRegistration(): Promise<ServiceWorkerRegistration> {
  if ((await findRegistration()) === null) throw new Error('No service worker runs here');
  return navigator.serviceWorker.ready;
}

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), character =>
    character.charCodeAt(0),
  );

const sameBytes = (one: ArrayBuffer | null, other: Uint8Array): boolean =>
  one !== null &&
  one.byteLength === other.length &&
  new Uint8Array(one).every((byte, index) => byte === other[index]);

/** What is registered of a subscription: its address and keys, and nothing else that a browser adds. */
function tokenOf(subscription: PushSubscription): string {
  const { endpoint, keys } = subscription.toJSON();
  return JSON.stringify({ endpoint, keys });
}

/** The browser in one word; more is nobody's business. */
const browserName = (): string =>
  /Firefox|Edg|OPR|Chrome|Safari/
    .exec(navigator.userAgent)?.[0]
    .replace('Edg', 'Edge')
    .replace('OPR', 'Opera') ?? '';

const systemName = (): string =>
  /Android|iPhone|iPad|Windows|Mac OS X|CrOS|Linux/
    .exec(navigator.userAgent)?.[0]
    .replace('Mac OS X', 'macOS') ?? '';

/** This browser. */
export const browserPush: PushDevice = {
  platform: 'web',
  isAble: () =>
    'serviceWorker' in navigator && 'PushManager' in globalThis && notifyPermission() !== 'unsupported',
  findPermission: async () => notifyPermission(),
  info: async () => ({ model: browserName(), platform: 'web', operatingSystem: systemName(), osVersion: '' }),
  findToken: async () => {
    const subscription = await (await findRegistration())?.pushManager.getSubscription();
    return subscription ? tokenOf(subscription) : null;
  },
  subscribe: async serverKey => {
    const { pushManager } = await getRegistration();
    const key = bytesOf(serverKey);
    const old = await pushManager.getSubscription();
    // A browser keeps to the key that it subscribed to first.
    if (old !== null && !sameBytes(old.options.applicationServerKey, key)) await old.unsubscribe();
    return tokenOf(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  },
  end: async () => {
    const registration = await findRegistration();
    for (const one of (await registration?.getNotifications()) ?? []) one.close();
    await navigator.clearAppBadge?.().catch(() => undefined);
    // The push service then knows nothing of it, which has the server forget the device too.
    await (await registration?.pushManager.getSubscription())?.unsubscribe();
  },
  // The service worker reads it (service-worker-push.ts); sign-out removes it with every cache of this beginning.
  keepWords: async words => {
    const cache = await caches.open('mail-push');
    await cache.put('/push-words', new Response(JSON.stringify(words)));
  },
  shown: async () => ((await (await findRegistration())?.getNotifications()) ?? []).map(({ tag }) => tag),
  takeAway: async names => {
    for (const one of (await (await findRegistration())?.getNotifications()) ?? [])
      if (names.includes(one.tag)) one.close();
  },
  setBadge: async count => {
    keepStored('unreadCount', String(count));
    await (count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.());
  },
};

let device = browserPush;

/** What this page runs on. */
export const pushDevice = (): PushDevice => device;

/** The shell says what it is, before the first screen. */
export function takePushDevice(phone: PushDevice): void {
  device = phone;
}
