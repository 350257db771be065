// What a kept session leaves on this device so that its mail can be read without the server: the account's keys, locked
// with the password as the server has them, and the user, sealed for themselves. Asked for in session.ts. A new password
// locks the keys anew, here or elsewhere: as soon as the user is known with them, the old ones go from the device.
import type { User } from '@keyfold/contract';
import { keys } from '../../crypto/key-client.ts';
import { findOfflineAccount, type OfflineAccount } from '../../platform/kept-session.ts';
import { findStored, forgetStored, keepStored } from '../../platform/storage.ts';
import { findUser, subscribeUser } from './current-user.ts';

/**
 * Keeps it, without the contacts: a thousand fill the browser's storage. The vault must be open. What cannot be kept
 * leaves nothing behind: keys that an old password opens must not stay.
 */
export async function keepOfflineAccount(user: User): Promise<void> {
  let isKept = false;
  try {
    const account: OfflineAccount = {
      email: user.kdf_email,
      main_key: user.main_key,
      user: await keys().sealRecord('offline', 'user', { ...user, client_key: '', contacts: [] }),
    };
    isKept = keepStored('offline_account', JSON.stringify(account));
  } finally {
    if (!isKept) forgetStored('offline_account');
  }
}

/** Whether mail is kept for reading offline: on devices that stay signed in, and on no others. */
export const keepsMail = (): boolean => findStored('keep_signed_in') === 'true';

/** Brings what is kept up to the user's `main_key`, where something is kept of this very user. */
async function renew(): Promise<void> {
  const user = findUser();
  const kept = findOfflineAccount();
  if (user === null || kept?.email !== user.kdf_email || !keepsMail()) return;
  const isSame = (Object.keys(kept.main_key) as (keyof User['main_key'])[]).every(
    name => kept.main_key[name] === user.main_key[name],
  );
  if (!isSame) await keepOfflineAccount(user);
}

let isFollowing = false;

/** Renews what is kept whenever the user comes with another `main_key`; begins once. */
export function followMainKey(): void {
  if (isFollowing) return;
  isFollowing = true;
  subscribeUser(() => void renew().catch(() => undefined));
}
