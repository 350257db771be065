// How this device is reached while no page is open: what the settings turn on and off, and what
// dismisses notifications. This module holds the browser implementation; the app provides its own
// with the same interface (session/news/phone-push.ts). Not part of the first load.
import { type NotifyPermission, notifyPermission } from './notifications.ts';
import { keepStored } from './storage.ts';

/** Device information sent at registration (docs/spec-map.md 3). */
export type DeviceInfo = {
  readonly model: string;
  readonly platform: string;
  readonly operatingSystem: string;
  readonly osVersion: string;
};

/** Notification texts by push type; `{count}` is replaced by the number of unread messages. */
export type PushWords = Readonly<
  Record<'mail' | 'security' | 'summary' | 'test', { title: string; body: string }>
>;

export type PushDevice = {
  readonly platform: 'android' | 'ios' | 'web' | 'unifiedpush';
  /** Whether push is available at all. */
  readonly isAble: () => boolean;
  /** Returns the notification permission without prompting. */
  readonly findPermission: () => Promise<NotifyPermission>;
  readonly info: () => Promise<DeviceInfo>;
  /**
   * Returns the token that the server sends to, in its registered form, or null without a
   * subscription.
   */
  readonly findToken: () => Promise<string | null>;
  /**
   * Subscribes. The app asks the user first; in a browser, permission has been granted before.
   * `serverKey` is the server's key, base64url. Rejects on failure.
   */
  readonly subscribe: (serverKey: string) => Promise<string>;
  /** Ends the subscription, dismisses every notification and clears the icon badge. */
  readonly end: () => Promise<void>;
  /** Stores the generic texts in the page's language, for use when no page is open. */
  readonly keepWords: (words: PushWords) => Promise<void>;
  /** Returns the names of the displayed notifications: message ids and others. */
  readonly shown: () => Promise<readonly string[]>;
  /** Dismisses the notifications with these names. */
  readonly takeAway: (names: readonly string[]) => Promise<void>;
  /** Shows and stores the number of unread messages on the app's icon, at least 0. */
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

/**
 * Returns the registered form of a subscription: only its endpoint and keys, without anything else
 * a browser adds.
 */
function tokenOf(subscription: PushSubscription): string {
  const { endpoint, keys } = subscription.toJSON();
  return JSON.stringify({ endpoint, keys });
}

/** Returns the browser's name only, to reveal no more than needed. */
const browserName = (): string =>
  /Firefox|Edg|OPR|Chrome|Safari/
    .exec(navigator.userAgent)?.[0]
    .replace('Edg', 'Edge')
    .replace('OPR', 'Opera') ?? '';

const systemName = (): string =>
  /Android|iPhone|iPad|Windows|Mac OS X|CrOS|Linux/
    .exec(navigator.userAgent)?.[0]
    .replace('Mac OS X', 'macOS') ?? '';

/** Push in this browser. */
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
    // A browser keeps the key of the first subscription.
    if (old !== null && !sameBytes(old.options.applicationServerKey, key)) await old.unsubscribe();
    return tokenOf(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  },
  end: async () => {
    const registration = await findRegistration();
    for (const one of (await registration?.getNotifications()) ?? []) one.close();
    await navigator.clearAppBadge?.().catch(() => undefined);
    // The push service then rejects the endpoint, which makes the server remove the device too.
    await (await registration?.pushManager.getSubscription())?.unsubscribe();
  },
  // Read by the service worker (service-worker-push.ts). Sign-out removes every cache with this
  // name prefix.
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

/** Returns the push implementation of this platform. */
export const pushDevice = (): PushDevice => device;

/** Replaces the implementation; called by the native shell before the first screen. */
export function takePushDevice(phone: PushDevice): void {
  device = phone;
}
