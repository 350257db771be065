// Data that a kept session stores on this device so that its mail can be read without the server:
// the account's keys, locked with the password as on the server, and the user, sealed under the
// user's own key. Written by session.ts. A new password, set here or elsewhere, locks the keys
// again; as soon as the user arrives with these, the old ones are removed from the device.
import type { User } from '@keyfold/contract';
import { keys } from '../../crypto/key-client.ts';
import { findOfflineAccount, type OfflineAccount } from '../../platform/kept-session.ts';
import { findStored, forgetStored, keepStored } from '../../platform/storage.ts';
import { findUser, subscribeUser } from './current-user.ts';

/**
 * Stores it without the contacts, because a thousand of them fill the browser's storage. The vault
 * must be open. If storing fails, the old entry is removed too: keys that an old password opens
 * must not remain.
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

/**
 * Returns whether mail is cached for offline reading, which happens only on devices that stay
 * signed in.
 */
export const keepsMail = (): boolean => findStored('keep_signed_in') === 'true';

/** Updates the stored data to the user's `main_key`, if any is stored for this user. */
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

/**
 * Updates the stored data whenever the user arrives with another `main_key`. Repeated calls have no
 * effect.
 */
export function followMainKey(): void {
  if (isFollowing) return;
  isFollowing = true;
  subscribeUser(() => void renew().catch(() => undefined));
}
