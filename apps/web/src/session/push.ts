// Push on this device: switched on and off, registered anew at each start, told what is chosen. Which device that is, a
// browser or the app, is the platform's to say. A chunk of its own, fetched where push is on or is looked at.
import { t } from '../lib/language.ts';
import { chosenZone } from '../lib/time-zone.ts';
import { type PushDevice, type PushWords, pushDevice } from '../platform/push.ts';
import { findStored, forgetStored, keepStored } from '../platform/storage.ts';
import { notificationChoices } from './notification-choices.ts';
import { notificationsClient } from './notifications-client.ts';

/** Whether this device was switched on. */
export const isPushOn = (): boolean => findStored('pushToken') !== null;

/** What is said when no page is open that could open the mail. */
const plainWords = (): PushWords => ({
  mail: { title: 'Keyfold', body: t('New message') },
  security: { title: t('Security notice'), body: t('Something about your account changed.') },
  summary: { title: 'Keyfold', body: t('Unread: {count}', { count: '{count}' }) },
  test: { title: 'Keyfold', body: t('This is how a notification looks.') },
});

const choices = () => {
  const zone = chosenZone() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const { newEmails, mentions, security, quiet, quietFrom, quietTo } = notificationChoices();
  return {
    newEmails,
    mentions,
    security,
    quiet: quiet ? { from: quietFrom, to: quietTo, time_zone: zone } : null,
  };
};

async function register(device: PushDevice, token: string): Promise<void> {
  await notificationsClient.register({
    token,
    platform: device.platform,
    device_info: await device.info(),
    preferences: choices(),
  });
  keepStored('pushToken', token);
  await device.keepWords(plainWords());
}

let last: Promise<void> = Promise.resolve();

/** One after the other: what is switched off while it is registered anew must not be on again afterwards. */
function inTurn(work: () => Promise<void>): Promise<void> {
  const done = last.then(work);
  last = done.catch(() => undefined);
  return done;
}

/** Has this device told of what comes. Rejects with what the browser or the server says. */
export const turnPushOn = (serverKey: string): Promise<void> =>
  inTurn(async () => {
    const device = pushDevice();
    const token = await device.subscribe(serverKey);
    await register(device, token);
  });

/** Ends that, here and on the server. */
export const turnPushOff = (): Promise<void> =>
  inTurn(async () => {
    const token = findStored('pushToken');
    forgetStored('pushToken');
    await pushDevice().unsubscribe();
    if (token !== null) await notificationsClient.unregister({ token });
  });

/** Registers this device anew, as it may have another token by now; one that the browser has taken back is forgotten. */
export const refreshPush = (): Promise<void> =>
  inTurn(async () => {
    const before = findStored('pushToken');
    if (before === null) return;
    const device = pushDevice();
    const token = await device.findToken();
    if (token !== before) await notificationsClient.unregister({ token: before });
    if (token === null) forgetStored('pushToken');
    else await register(device, token);
  });

/** Tells the server what was chosen, where this device is pushed to. */
export async function sendPushChoices(): Promise<void> {
  const token = findStored('pushToken');
  if (token !== null) await notificationsClient.preferences({ ...choices(), token });
}
