/**
 * The key by which push services of browsers know this server (RFC 8292): given by the operator, or made once and kept
 * sealed under the master key, as DKIM keys are. Devices subscribe to it: another one would end all subscriptions.
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

/** The keys that are in use; made when first asked for. */
export async function getVapidKeys(deps: KeyDeps): Promise<VapidKeys> {
  const { subject, keys } = deps.config.push.vapid;
  if (keys !== undefined) return { subject, ...keys };
  if ((await findKey(deps.db, NAME)) === undefined) await makeKey(deps);
  // Another process may have been faster: what is stored counts.
  const row = await findKey(deps.db, NAME);
  if (row === undefined) throw new Error('A push key was not stored');
  const privateKey = deps.masterKey.open(PURPOSE, NAME, row.private_sealed);
  // Leading zero bytes are no part of the number, but of the key's text.
  const padded = Buffer.concat([Buffer.alloc(32 - privateKey.length), privateKey]);
  return { subject, publicKey: row.public_key, privateKey: padded.toString('base64url') };
}
