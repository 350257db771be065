// Push in the native shell: the app as a registered device, pushes that arrive while it runs,
// navigation from a clicked notification, and cleanup at sign-out. Loaded only in the shell; never
// prompts by itself.
import { t } from '../../lib/language.ts';
import { findDeviceWords } from '../../native/device.ts';
import { platform } from '../../native/plugins.ts';
import {
  type ArrivedPush,
  askPushPermission,
  canPush,
  endPushToken,
  findPushNames,
  findPushPermission,
  followPushes,
  getPushToken,
  keepChannels,
  removeAllPushes,
  removePushes,
} from '../../native/push.ts';
import { type PushDevice, takePushDevice } from '../../platform/push.ts';
import { findStored } from '../../platform/storage.ts';
import { showToast } from '../../ui/toasts.ts';
import { onStatus, sessionStatus } from '../state/session-state.ts';

const isOn = (): boolean => findStored('pushToken') !== null;

/** Whether the phone's push service has issued a token that was not returned. */
let hasToken = false;

async function takeToken(): Promise<string> {
  const token = await getPushToken();
  hasToken = true;
  return token;
}

async function end(): Promise<void> {
  hasToken = false;
  // Both run in parallel: sign-out leaves the page, so a call that waits for the phone's answer
  // would never start.
  await Promise.all([removeAllPushes(), endPushToken()]);
}

const makePhone = (): PushDevice => ({
  platform: platform() === 'ios' ? 'ios' : 'android',
  isAble: canPush,
  findPermission: findPushPermission,
  info: findDeviceWords,
  findToken: async () => ((await findPushPermission()) === 'granted' ? takeToken() : null),
  subscribe: async () => {
    if ((await askPushPermission()) !== 'granted') throw new Error('The phone does not allow it');
    return takeToken();
  },
  end,
  // The app has its own notification texts; these are the channel names shown in Android's
  // settings.
  keepWords: () =>
    keepChannels({
      mail: { name: t('New mail'), description: t('Every message that arrives in your inbox.') },
      security: {
        name: t('Security'),
        description: t('Notices about your account, such as a sign-in from a new browser.'),
      },
    }),
  shown: findPushNames,
  takeAway: removePushes,
  // unread-badge.ts handles it.
  setBadge: async () => undefined,
});

/**
 * The phone does not show pushes that arrive while the app is in use; the list reports new mail
 * itself.
 */
function hear({ type, id }: ArrivedPush): void {
  if (type === 'read' && id !== null) void removePushes([id]);
  if (type === 'test') showToast({ tone: 'success', text: t('Test notification received') });
  if (type === 'security') showToast({ tone: 'warning', text: t('Something changed in your account.') });
}

/**
 * Sign-out has cleared local storage; this also removes the phone's token and the displayed
 * notifications.
 */
function followEnd(): void {
  hasToken = isOn();
  onStatus(() => {
    if (sessionStatus() !== 'out' || !hasToken || isOn()) return;
    void end().catch(() => undefined);
  });
}

/**
 * Starts push; `open` navigates to a hash target. Resolves when the listeners have been registered
 * with the phone.
 */
export async function startPhonePush(open: (hash: string) => void): Promise<void> {
  takePushDevice(makePhone());
  followEnd();
  await followPushes({ arrived: hear, opened: open });
}
