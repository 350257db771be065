// Push in the shell of a phone: the app as a device that is told, what comes while it runs, where a pressed notification leads,
// and the end of it all when somebody signs out. Fetched in the shell alone; it asks for nothing by itself.
import { t } from '../../lib/language.ts';
import { findDeviceWords } from '../../native/device-words.ts';
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

/** Whether the phone's push service has given a token that was not given back. */
let hasToken = false;

async function takeToken(): Promise<string> {
  const token = await getPushToken();
  hasToken = true;
  return token;
}

async function end(): Promise<void> {
  hasToken = false;
  // Both at once: whoever signs out leaves the page, and what waits for an answer of the phone is not asked any more.
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
  // The texts are the app's own; these are the names of what Android's settings show of them.
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
  // unread-badge.ts has it in hand.
  setBadge: async () => undefined,
});

/** What comes while somebody looks is not shown by the phone: the list tells of mail by itself. */
function hear({ type, id }: ArrivedPush): void {
  if (type === 'read' && id !== null) void removePushes([id]);
  if (type === 'test') showToast({ tone: 'success', text: t('The test has arrived.') });
  if (type === 'security') showToast({ tone: 'warning', text: t('Something about your account changed.') });
}

/** Signing out has cleared local storage; the phone's token and what is shown go after it. */
function followEnd(): void {
  hasToken = isOn();
  onStatus(() => {
    if (sessionStatus() !== 'out' || !hasToken || isOn()) return;
    void end().catch(() => undefined);
  });
}

/** Begins; `open` leads to a hash target. Resolves when the phone has been told what is listened for. */
export async function startPhonePush(open: (hash: string) => void): Promise<void> {
  takePushDevice(makePhone());
  followEnd();
  await followPushes({ arrived: hear, opened: open });
}
