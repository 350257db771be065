/**
 * Key that identifies this server to browsers' push services (RFC 8292). It is configured by the
 * operator, or generated once and stored sealed under the master key, as DKIM keys are. Devices
 * subscribe to it, so a new key would end all subscriptions.
 */
import { createECDH } from 'node:crypto';
import type { VapidKeys } from '../../../adapters/push-web.ts';
import type { Deps } from '../../../context/deps.ts';
import { findKey, insertKey } from './store.ts';

const PURPOSE = 'push key';
const NAME = 'vapid';

type KeyDeps = Pick<Deps, 'clock' | 'config' | 'db' | 'masterKey'>;

async function makeKey({ db, masterKey, clock }: KeyDeps): Promise<void> {
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  await insertKey(db, {
    name: NAME,
    private_sealed: masterKey.seal(PURPOSE, NAME, ecdh.getPrivateKey()),
    public_key: ecdh.getPublicKey().toString('base64url'),
    created_at: clock.now(),
  });
}

/** Returns the current keys; generates them on first use. */
export async function getVapidKeys(deps: KeyDeps): Promise<VapidKeys> {
  const { subject, keys } = deps.config.push.vapid;
  if (keys !== undefined) return { subject, ...keys };
  if ((await findKey(deps.db, NAME)) === undefined) await makeKey(deps);
  // Another process may have stored a key first; the stored one counts.
  const row = await findKey(deps.db, NAME);
  if (row === undefined) throw new Error('The push key was not stored');
  const privateKey = deps.masterKey.open(PURPOSE, NAME, row.private_sealed);
  // The number omits leading zero bytes, but the key's encoding needs them.
  const padded = Buffer.concat([Buffer.alloc(32 - privateKey.length), privateKey]);
  return { subject, publicKey: row.public_key, privateKey: padded.toString('base64url') };
}
