// Push on this device: switched on and off, renewed at each start, told what is chosen. It is one person's: with the token is
// kept whose it is, and somebody else who comes in here ends it. Which device it is, a browser or the app, is the platform's
// to say. A chunk of its own, fetched where push is on or is looked at.
import { CallError } from '@keyfold/contract/client';
import { t } from '../../lib/language.ts';
import { chosenZone } from '../../lib/time-zone.ts';
import { type PushDevice, type PushWords, pushDevice } from '../../platform/push.ts';
import { findStored, forgetStored, keepStored } from '../../platform/storage.ts';
import { notificationsClient } from '../calls/clients/notifications.ts';
import { findUser } from '../state/current-user.ts';
import { forgetNotificationChoices, notificationChoices } from './notification-choices.ts';

/** The token that whoever is signed in has registered here; null where there is none, or it is another's. */
function findOwnToken(): string | null {
  try {
    const { owner, token } = JSON.parse(findStored('pushToken') ?? '{}') as Record<string, unknown>;
    return typeof token === 'string' && owner === findUser()?.kdf_email ? token : null;
  } catch {
    return null;
  }
}

/** Whether this person has switched this device on. */
export const isPushOn = (): boolean => findOwnToken() !== null;

/** What is said when no page is open that could open the mail. */
const plainWords = (): PushWords => ({
  mail: { title: 'Keyfold', body: t('New message') },
  security: { title: t('Security notice'), body: t('Something about your account changed.') },
  summary: { title: 'Keyfold', body: t('Unread: {count}', { count: '{count}' }) },
  test: { title: 'Keyfold', body: t('This is how a notification looks.') },
});

function choices() {
  const zone = chosenZone() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const { newEmails, mentions, security, quiet, quietFrom, quietTo } = notificationChoices();
  return {
    newEmails,
    mentions,
    security,
    quiet: quiet ? { from: quietFrom, to: quietTo, time_zone: zone } : null,
  };
}

/** Registers; with `renews`, the token until now, only where the server knows that still, else it rejects. */
async function register(device: PushDevice, token: string, renews?: string): Promise<void> {
  const owner = findUser()?.kdf_email;
  await notificationsClient.register({
    token,
    platform: device.platform,
    device_info: await device.info(),
    preferences: choices(),
    ...(renews === undefined ? {} : { renews }),
  });
  // Whoever signed out meanwhile has ended it.
  if (renews !== undefined && findStored('pushToken') === null) return;
  keepStored('pushToken', JSON.stringify({ owner, token }));
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

/** Ends it on this device without asking the server, which hears of it from the push service. */
export async function endPush(): Promise<void> {
  forgetStored('pushToken');
  await pushDevice().end();
}

/** Ends that, here and on the server. */
export const turnPushOff = (): Promise<void> =>
  inTurn(async () => {
    const token = findOwnToken();
    await endPush();
    if (token !== null) await notificationsClient.unregister({ token });
  });

/**
 * Renews the registration of this device, as it may have another token by now. It ends where it was another's, who did not
 * sign out; where the browser has taken it back; and where the server does not know it any more, since it was removed in the
 * settings or went with its session.
 */
export const refreshPush = (): Promise<void> =>
  inTurn(async () => {
    if (findStored('pushToken') === null) return;
    const before = findOwnToken();
    if (before === null) {
      forgetNotificationChoices();
      return endPush();
    }
    const device = pushDevice();
    const token = await device.findToken();
    if (token === null) {
      await endPush();
      await notificationsClient.unregister({ token: before });
      return;
    }
    try {
      await register(device, token, before);
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== 'not_found') throw error;
      await endPush();
    }
  });

/** Tells the server what was chosen, where this device is pushed to. */
export async function sendPushChoices(): Promise<void> {
  const token = findOwnToken();
  if (token !== null) await notificationsClient.preferences({ ...choices(), token });
}
