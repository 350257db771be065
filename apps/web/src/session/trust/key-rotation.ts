// New keys for the account, and the destruction of old ones (docs/crypto.md, Retired keys). An
// interruption at any point leaves an account that opens: the server has either the old keys or the
// new ones, never half of each, and the password opens both.
import type { User } from '@keyfold/contract';
import { CallError } from '@keyfold/contract/client';
import { keys } from '../../crypto/key-client.ts';
import { authClient } from '../calls/clients/auth.ts';
import { keyRotationClient } from '../calls/clients/key-rotation.ts';
import { enterAs } from '../session.ts';
import { getUser, setUser } from '../state/current-user.ts';
import { keepOfflineAccount, keepsMail } from '../state/offline-account.ts';
import { findOpenWork } from '../state/open-work.ts';
import type { OwnProof } from './factor-proof.ts';
import { settleOwnHistory } from './key-log.ts';

/**
 * Returns the user if the server has stored these keys although its response was lost; null if not,
 * or if it does not say.
 */
async function findTaken(error: unknown, keyId: string): Promise<User | null> {
  if (!(error instanceof CallError) || error.status !== 0) return null;
  const user = await authClient.check({}).then(
    ({ data }) => data,
    () => null,
  );
  return user?.main_key.key_id === keyId ? user : null;
}

/**
 * Replaces the current keys with new ones. The caller then reloads the page, as other tabs do by
 * themselves, because much of it still holds the old keys. Rejects with CallError, and CryptoError
 * for a wrong password.
 */
export async function makeNewKeys(password: string, proof: OwnProof): Promise<void> {
  const prepared = await keys().prepareRotation(password, getUser().main_key);
  const keyId = prepared.main_key.key_id;
  let user: User;
  try {
    ({ data: user } = await keyRotationClient.rotate({
      ...prepared,
      retired: [...prepared.retired],
      ...proof,
    }));
  } catch (error) {
    const taken = await findTaken(error, keyId);
    if (taken === null) {
      await keys().dropRotation();
      throw error;
    }
    user = taken;
  }
  // Sealed under the old keys, which can still open it afterwards.
  await findOpenWork()?.keep();
  if ((await keys().takeRotation(user.main_key.key_id)) !== null) await enterAs(user, keepsMail());
}

/**
 * Destroys replaced keys once nothing needs them; `onRemaining` receives the number of messages
 * still to be released. Only the first request, which starts the process, needs the proof. The
 * caller then reloads the page. Rejects with CallError.
 */
export async function destroyKeys(
  keyId: string,
  password: string,
  proof: OwnProof,
  onRemaining: (remaining: number) => void,
): Promise<void> {
  // Afterwards these versions of the key log can no longer be proved to be the user's own.
  await settleOwnHistory();
  const passwordHash = await keys().hashPassword(password);
  const step = { key_id: keyId, password: passwordHash };
  let { data } = await keyRotationClient.destroy({ ...step, ...proof });
  for (;;) {
    onRemaining(data.remaining);
    if (data.remaining === 0) break;
    ({ data } = await keyRotationClient.destroy(step));
  }
  const user = { ...getUser(), retired_keys: getUser().retired_keys.filter(one => one.key_id !== keyId) };
  setUser(user);
  if (keepsMail()) await keepOfflineAccount(user);
}
