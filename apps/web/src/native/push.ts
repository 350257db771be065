// Push on a phone: permission, the token of the phone's push service, what is shown, and what is pressed. A push has a type and
// an id, and no word of a mail; what the system shows of it are the app's own texts (apps/mobile/push-texts.json). Which
// device is registered with the server is session/news/push.ts'.
import { PUSH_TOKEN_WAIT_MS } from '../timing.ts';
import { platform, push } from './plugins.ts';

export type PushPermission = 'default' | 'denied' | 'granted';

/** What was pushed; the number beside it is the system's to show. */
export type ArrivedPush = {
  readonly type: 'mail' | 'security' | 'summary' | 'read' | 'test';
  /** A mail's. */
  readonly id: string | null;
};

const types: readonly string[] = ['mail', 'security', 'summary', 'read', 'test'];

/** What the server put beside a push, hostile until read: null for what is none of ours. */
export function readArrived(data: unknown): ArrivedPush | null {
  const { type, id } = (data ?? {}) as { readonly type?: unknown; readonly id?: unknown };
  if (typeof type !== 'string' || !types.includes(type)) return null;
  return {
    type: type as ArrivedPush['type'],
    id: typeof id === 'string' && /^[\w-]{1,64}$/.test(id) ? id : null,
  };
}

/** The hash target of a notification that was pressed (docs/spec-map.md 2); the inbox for what leads nowhere. */
export function targetOfPush(data: unknown): string {
  const arrived = readArrived(data);
  if (arrived?.type === 'security') return '#/security';
  return arrived?.type === 'mail' && arrived.id !== null ? `#/email/${arrived.id}` : '#/inbox';
}

type Granted = Awaited<ReturnType<typeof push.checkPermissions>>;

const permissionOf = ({ receive }: Granted): PushPermission =>
  receive === 'granted' || receive === 'denied' ? receive : 'default';

/** Whether the app was built with what its push service needs: the tool that packs it says so in the page (docs/mobile.md). */
export const canPush = (): boolean =>
  document.querySelector<HTMLMetaElement>('meta[name="keyfold-push"]')?.content !== 'off';

/** Whether the phone lets this program notify. */
export const findPushPermission = async (): Promise<PushPermission> =>
  permissionOf(await push.checkPermissions());

/** Asks the person, where the phone has not before: Android 13 and newer, and iOS. */
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

/** The token of FCM or of APNs. Rejects when the phone's push service gives none. */
export function getPushToken(): Promise<string> {
  asking ??= askForToken().finally(() => {
    asking = null;
  });
  return asking;
}

/** Gives the token back. */
export const endPushToken = (): Promise<void> => push.unregister();

/** What is shown: the name that the server gave it, a mail's id or a type, and what the phone removes it by. */
async function findShown() {
  // iOS says nothing before the program has registered in this run.
  const { notifications } = await push.getDeliveredNotifications().catch(() => ({ notifications: [] }));
  return notifications.map(({ id, tag }) => ({ id, tag, name: platform() === 'ios' ? id : (tag ?? '') }));
}

/** The names of what is shown. */
export const findPushNames = async (): Promise<readonly string[]> =>
  (await findShown()).map(({ name }) => name);

/** Takes notifications of these names away. */
export async function removePushes(names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const gone = (await findShown()).filter(({ name }) => names.includes(name));
  if (gone.length === 0) return;
  await push.removeDeliveredNotifications({
    notifications: gone.map(({ id, tag }) => ({ id, data: {}, ...(tag === undefined ? {} : { tag }) })),
  });
}

/** Takes all notifications of this program away. */
export const removeAllPushes = (): Promise<void> =>
  push.removeAllDeliveredNotifications().catch(() => undefined);

/** Android's importance of a channel: with a sound; the same, and laid over what is on the screen. */
const importance = { default: 3, high: 4 } as const;
/** Android's visibility of a channel: on a locked screen the name of the program alone. */
const HIDDEN = 0;

export type PushChannel = { readonly name: string; readonly description: string };

/** Makes the two channels that the server names (push-fcm.ts), or gives them names in another language; iOS has none. */
export async function keepChannels(
  channels: Readonly<Record<'mail' | 'security', PushChannel>>,
): Promise<void> {
  if (platform() === 'ios') return;
  const both = { visibility: HIDDEN, vibration: true, lights: true } as const;
  await push.createChannel({ id: 'mail', ...channels.mail, importance: importance.default, ...both });
  await push.createChannel({ id: 'security', ...channels.security, importance: importance.high, ...both });
}

/** Hears of pushes that come while the program runs, and of notifications that are pressed, the one that started it too. */
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
