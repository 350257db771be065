// Push on this device: turns it on and off, renews it at each start, and sends the user's choices.
// Push belongs to one user: the token is stored with its owner, and the sign-in of another user
// ends it. The platform provides the device, a browser or the app. A separate chunk, loaded where
// push is on or its settings are open.
import { CallError } from '@keyfold/contract/client';
import { t } from '../../lib/language.ts';
import { chosenZone } from '../../lib/time-zone.ts';
import { type PushDevice, type PushWords, pushDevice } from '../../platform/push.ts';
import { findStored, forgetStored, keepStored } from '../../platform/storage.ts';
import { notificationsClient } from '../calls/clients/notifications.ts';
import { findUser } from '../state/current-user.ts';
import { forgetNotificationChoices, notificationChoices } from './notification-choices.ts';

/**
 * Returns the token that the signed-in user has registered here; null if there is none, or it
 * belongs to another user.
 */
function findOwnToken(): string | null {
  try {
    const { owner, token } = JSON.parse(findStored('pushToken') ?? '{}') as Record<string, unknown>;
    return typeof token === 'string' && owner === findUser()?.kdf_email ? token : null;
  } catch {
    return null;
  }
}

/** Returns whether the signed-in user has turned push on here. */
export const isPushOn = (): boolean => findOwnToken() !== null;

/** Notification texts used when no open page can decrypt the message. */
const plainWords = (): PushWords => ({
  mail: { title: 'Keyfold', body: t('New message') },
  security: { title: t('Security notice'), body: t('Something changed in your account.') },
  summary: { title: 'Keyfold', body: t('Unread: {count}', { count: '{count}' }) },
  test: { title: 'Keyfold', body: t('This is what a notification looks like.') },
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

/**
 * Registers the device. With `renews`, the previous token, the call rejects unless the server still
 * knows that token.
 */
async function register(device: PushDevice, token: string, renews?: string): Promise<void> {
  const owner = findUser()?.kdf_email;
  await notificationsClient.register({
    token,
    platform: device.platform,
    device_info: await device.info(),
    preferences: choices(),
    ...(renews === undefined ? {} : { renews }),
  });
  // The user has signed out meanwhile, which ended push.
  if (renews !== undefined && findStored('pushToken') === null) return;
  keepStored('pushToken', JSON.stringify({ owner, token }));
  await device.keepWords(plainWords());
}

let last: Promise<void> = Promise.resolve();

/**
 * Runs tasks one after the other, so that a renewal in progress cannot turn push back on after it
 * was turned off.
 */
function inTurn(work: () => Promise<void>): Promise<void> {
  const done = last.then(work);
  last = done.catch(() => undefined);
  return done;
}

/** Turns push on for this device. Rejects with the browser's or the server's error. */
export const turnPushOn = (serverKey: string): Promise<void> =>
  inTurn(async () => {
    const device = pushDevice();
    const token = await device.subscribe(serverKey);
    await register(device, token);
  });

/**
 * Ends push on this device without a call to the server, which learns of it from the push service.
 */
export async function endPush(): Promise<void> {
  forgetStored('pushToken');
  await pushDevice().end();
}

/** Turns push off, here and on the server. */
export const turnPushOff = (): Promise<void> =>
  inTurn(async () => {
    const token = findOwnToken();
    await endPush();
    if (token !== null) await notificationsClient.unregister({ token });
  });

/**
 * Renews the registration of this device, whose token may have changed. Ends push if it belongs to
 * another user who did not sign out, if the browser has revoked it, or if the server no longer
 * knows it because it was removed in the settings or with its session.
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

/** Sends the choices to the server if push is on here. */
export async function sendPushChoices(): Promise<void> {
  const token = findOwnToken();
  if (token !== null) await notificationsClient.preferences({ ...choices(), token });
}
