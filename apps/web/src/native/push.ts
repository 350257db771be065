// Push on a phone: permission, the token of the phone's push service, displayed notifications, and
// taps on them. A push contains a type and an id, and no content of a message. The system displays
// the app's own texts (apps/mobile/push-texts.json). session/news/push.ts registers the device with
// the server.
import { PUSH_TOKEN_WAIT_MS } from '../timing.ts';
import { platform, push } from './plugins.ts';

export type PushPermission = 'default' | 'denied' | 'granted';

/** The data of a push; the system displays the number that accompanies it. */
export type ArrivedPush = {
  readonly type: 'mail' | 'security' | 'summary' | 'read' | 'test';
  /** Id of a message. */
  readonly id: string | null;
};

const types: readonly string[] = ['mail', 'security', 'summary', 'read', 'test'];

/** Parses the untrusted data of a push. Returns null for data that is not from our server. */
export function readArrived(data: unknown): ArrivedPush | null {
  const { type, id } = (data ?? {}) as { readonly type?: unknown; readonly id?: unknown };
  if (typeof type !== 'string' || !types.includes(type)) return null;
  return {
    type: type as ArrivedPush['type'],
    id: typeof id === 'string' && /^[\w-]{1,64}$/.test(id) ? id : null,
  };
}

/** Returns the hash target of a tapped notification (docs/spec-map.md 2), by default the inbox. */
export function targetOfPush(data: unknown): string {
  const arrived = readArrived(data);
  if (arrived?.type === 'security') return '#/security';
  return arrived?.type === 'mail' && arrived.id !== null ? `#/email/${arrived.id}` : '#/inbox';
}

type Granted = Awaited<ReturnType<typeof push.checkPermissions>>;

const permissionOf = ({ receive }: Granted): PushPermission =>
  receive === 'granted' || receive === 'denied' ? receive : 'default';

/**
 * Whether the app was built with the configuration for its push service. The packaging tool records
 * that in the page (docs/mobile.md).
 */
export const canPush = (): boolean =>
  document.querySelector<HTMLMetaElement>('meta[name="keyfold-push"]')?.content !== 'off';

/** Returns whether the phone lets this app show notifications. */
export const findPushPermission = async (): Promise<PushPermission> =>
  permissionOf(await push.checkPermissions());

/** Asks the user where the phone has not asked before: Android 13 and newer, and iOS. */
export const askPushPermission = async (): Promise<PushPermission> =>
  permissionOf(await push.requestPermissions());

let waiting: { readonly resolve: (token: string) => void; readonly reject: (why: Error) => void } | null =
  null;
let listening: Promise<unknown> | null = null;

function listen(): Promise<unknown> {
  listening ??= Promise.all([
    push.addListener('registration', ({ value }) => waiting?.resolve(value)),
    push.addListener('registrationError', () => waiting?.reject(new Error('The push service gave no token'))),
  ]);
  return listening;
}

async function askForToken(): Promise<string> {
  await listen();
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise<string>((resolve, reject) => {
      waiting = { resolve, reject };
      timer = setTimeout(() => reject(new Error('The push service did not answer')), PUSH_TOKEN_WAIT_MS);
      push.register().catch(reject);
    });
  } finally {
    clearTimeout(timer);
    waiting = null;
  }
}

let asking: Promise<string> | null = null;

/** Returns the token of FCM or of APNs. Rejects when the phone's push service provides none. */
export function getPushToken(): Promise<string> {
  asking ??= askForToken().finally(() => {
    asking = null;
  });
  return asking;
}

/** Unregisters the token. */
export const endPushToken = (): Promise<void> => push.unregister();

/**
 * Returns the displayed notifications: the name that the server gave each one (the id of a message,
 * or a type), and the id for removing it.
 */
async function findShown() {
  // iOS reports nothing before the app has registered in this run.
  const { notifications } = await push.getDeliveredNotifications().catch(() => ({ notifications: [] }));
  return notifications.map(({ id, tag }) => ({ id, tag, name: platform() === 'ios' ? id : (tag ?? '') }));
}

/** Returns the names of the displayed notifications. */
export const findPushNames = async (): Promise<readonly string[]> =>
  (await findShown()).map(({ name }) => name);

/** Removes the notifications with these names. */
export async function removePushes(names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const gone = (await findShown()).filter(({ name }) => names.includes(name));
  if (gone.length === 0) return;
  await push.removeDeliveredNotifications({
    notifications: gone.map(({ id, tag }) => ({ id, data: {}, ...(tag === undefined ? {} : { tag }) })),
  });
}

/** Removes all notifications of this app. */
export const removeAllPushes = (): Promise<void> =>
  push.removeAllDeliveredNotifications().catch(() => undefined);

/**
 * Android importance of a channel: default makes a sound; high also shows the notification over the
 * screen content.
 */
const importance = { default: 3, high: 4 } as const;
/** Android visibility of a channel: the lock screen shows only the app's name. */
const HIDDEN = 0;

export type PushChannel = { readonly name: string; readonly description: string };

/**
 * Creates the two channels that the server names (push-fcm.ts), or renames them in another
 * language. iOS has none.
 */
export async function keepChannels(
  channels: Readonly<Record<'mail' | 'security', PushChannel>>,
): Promise<void> {
  if (platform() === 'ios') return;
  const both = { visibility: HIDDEN, vibration: true, lights: true } as const;
  await push.createChannel({ id: 'mail', ...channels.mail, importance: importance.default, ...both });
  await push.createChannel({ id: 'security', ...channels.security, importance: importance.high, ...both });
}

/**
 * Subscribes to pushes that arrive while the app runs, and to taps on notifications, including the
 * tap that started the app.
 */
export async function followPushes(hear: {
  readonly arrived: (arrived: ArrivedPush) => void;
  readonly opened: (hash: string) => void;
}): Promise<void> {
  await push.addListener('pushNotificationReceived', ({ data }) => {
    const arrived = readArrived(data);
    if (arrived !== null) hear.arrived(arrived);
  });
  await push.addListener('pushNotificationActionPerformed', ({ actionId, notification }) => {
    if (actionId === 'tap') hear.opened(targetOfPush(notification.data));
  });
}
