/**
 * Rotation of a user's own keys (docs/crypto.md, Retired keys; docs/adr/0026). New keys replace the
 * current ones atomically. The old ones are kept, sealed under the new ones, as long as mail needs
 * them. Only the owner's client can check what a wrap contains. The server prevents loss: it stores
 * nothing under replaced keys and destroys no keys while something needs them.
 */
import type { api, InputOf, OldWrap, RetiredState, User } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { RETIRED_KEYS_MAX } from '@keyfold/contract/limits';
import { deviceWordsOf } from '../../../base/device-words.ts';
import { RETIRED_KEY_KEPT_MS, RETIRED_WRAPS_AT_ONCE } from '../../../base/limits.ts';
import type { Session } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Db, Trx } from '../../../db/pool.ts';
import { isUuid } from '../../../db/uuid.ts';
import { discardContainer, lockMailboxes, touchMailbox } from '../../mailbox/messages/index.ts';
import { announceEnd, exchangeKeys, type Place, requirePassword, requireUsableKeys } from '../auth/index.ts';
import { storeNotice } from '../notices/index.ts';
import { forgetSegments } from '../search/index.ts';
import { type Prover, proverOf, requireSecondFactor } from '../second-factor/index.ts';
import { getKeyId, getUser, requireKeysInUse } from '../users/index.ts';
import {
  countUses,
  countWaiting,
  countWrapped,
  deleteRetired,
  dropSendersWraps,
  findOldWraps,
  findRetired,
  noteEnding,
  saveRetired,
} from './store.ts';

type Rotation = InputOf<typeof api.key_rotation.rotate>;

/**
 * Requires that the client hands over all earlier keys and the current ones in sealed form, each at
 * its position in the sequence. A missing key would make its mail unreadable. Throws keys_refused.
 */
async function requireAll(trx: Trx, userId: string, { from, main_key, retired }: Rotation): Promise<void> {
  const known = await findRetired(trx, userId);
  const places = new Map(known.map(({ key_id, generation }) => [key_id, generation]));
  if (places.has(main_key.key_id)) throw new AppError('keys_refused');
  places.set(from, Math.max(0, ...places.values()) + 1);
  const given = new Map(retired.map(({ key_id, generation }) => [key_id, generation]));
  const isSame = [...places].every(([keyId, generation]) => given.get(keyId) === generation);
  if (!isSame || given.size !== places.size || retired.length !== given.size)
    throw new AppError('keys_refused');
}

/**
 * Replaces the current keys. Ends other sessions, stay-signed-in devices, the recovery kit and the
 * server's copy of the search index, which is sealed under the old keys. Throws password_wrong,
 * keys_replaced, keys_refused, limit_reached, and the errors of a wrong second factor.
 */
export async function rotateKeys(deps: Deps, own: Session, input: Rotation, place: Place): Promise<User> {
  const { userId } = own;
  const secrets = await requirePassword(deps.db, userId, input.password);
  if (secrets.main_key.key_id !== input.from) throw new AppError('keys_replaced');
  const { key_id, dh_public_key, mlkem_public_key } = secrets.main_key;
  const { main_key: fresh } = input;
  if (
    fresh.key_id === key_id ||
    fresh.dh_public_key === dh_public_key ||
    fresh.mlkem_public_key === mlkem_public_key
  )
    throw new AppError('keys_refused');
  await requireUsableKeys(fresh);
  if (input.retired.length > RETIRED_KEYS_MAX) throw new AppError('limit_reached');
  await requireSecondFactor(deps, proverOf(own, place), { code: input.totp_code, passkey: input.passkey });
  const now = deps.clock.now();
  const { user, segments } = await deps.db.transaction().execute(async trx => {
    // Locks the account before its mailbox, the order used everywhere.
    await exchangeKeys(deps, trx, own, { loginHashStored: secrets.login_hash, keyId: input.from }, fresh);
    await lockMailboxes(trx, [userId]);
    await requireAll(trx, userId, input);
    const rows = input.retired.map(one => ({
      keyId: one.key_id,
      generation: one.generation,
      sealed: Buffer.from(one.sealed, 'base64'),
    }));
    await saveRetired(trx, userId, rows, { mails: await countWrapped(trx, userId), now });
    const gone = await forgetSegments(trx, userId);
    await storeNotice(deps, trx, userId, {
      kind: 'keys_replaced',
      device: deviceWordsOf(place.userAgent),
      ip: place.ip,
    });
    return { user: await getUser(trx, userId, own.openClientKey()), segments: gone };
  });
  announceEnd(deps.db, userId);
  for (const blobId of segments) await discardContainer(deps, blobId);
  return user;
}

const destroyableAt = (retiredAt: Date): Date => new Date(retiredAt.getTime() + RETIRED_KEY_KEPT_MS);

/** Returns the replaced keys, newest first, with counts of the data that still needs them. */
export async function listRetired({ db }: Pick<Deps, 'db'>, userId: string): Promise<RetiredState[]> {
  const known = await findRetired(db, userId);
  if (known.length === 0) return [];
  const waiting = await countWaiting(db, userId);
  return known.map(({ key_id, mails, retired_at, ending_since }) => ({
    key_id,
    mails,
    retired_at: retired_at.toISOString(),
    waiting: waiting.get(key_id) ?? 0,
    destroyable_at: destroyableAt(retired_at).toISOString(),
    is_ending: ending_since !== null,
  }));
}

const base64 = (bytes: Buffer | null): string | null => bytes?.toString('base64') ?? null;

/** Returns wraps that the current keys do not open. Throws malformed for an invalid id. */
export async function listOldWraps(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  { after, count }: InputOf<typeof api.key_rotation.wraps>,
): Promise<OldWrap[]> {
  if (after !== undefined && !isUuid(after)) throw new AppError('malformed');
  const rows = await findOldWraps(db, userId, await getKeyId(db, userId), after, count);
  return rows.map(({ id, binding, ciphertext, encrypted_key, dh_public, salt, key_used }) => ({
    id,
    binding: binding.toString('base64'),
    ciphertext: base64(ciphertext),
    encrypted_key: base64(encrypted_key),
    dh_public: base64(dh_public),
    salt: base64(salt),
    key_used,
  }));
}

/** Returns replaced keys that are no longer needed. Throws not_found, keys_needed. */
async function getNeedless({ clock }: Pick<Deps, 'clock'>, db: Db | Trx, userId: string, keyId: string) {
  const found = (await findRetired(db, userId)).find(one => one.key_id === keyId);
  if (found === undefined) throw new AppError('not_found');
  if (destroyableAt(found.retired_at) > clock.now()) throw new AppError('keys_needed');
  if (((await countWaiting(db, userId)).get(keyId) ?? 0) > 0) throw new AppError('keys_needed');
  return found;
}

/**
 * Destroys replaced keys step by step: deletes some of the wraps that senders made for them or,
 * when none are left, the keys. Returns the number of items that still use them. Throws
 * password_wrong, not_found, keys_needed, and, until destruction has begun, the errors of a wrong
 * second factor.
 */
export async function destroyKeys(
  deps: Deps,
  owner: Prover,
  { key_id, password, totp_code: code, passkey }: InputOf<typeof api.key_rotation.destroy>,
): Promise<number> {
  const { userId } = owner;
  await requirePassword(deps.db, userId, password);
  const { ending_since } = await getNeedless(deps, deps.db, userId, key_id);
  // A code is single-use and the work may take many requests, so the first request proves it for
  // all of them.
  if (ending_since === null) await requireSecondFactor(deps, owner, { code, passkey });
  return deps.db.transaction().execute(async trx => {
    await lockMailboxes(trx, [userId]);
    await getNeedless(deps, trx, userId, key_id);
    await noteEnding(trx, userId, key_id, deps.clock.now());
    const keyId = await requireKeysInUse(trx, userId, []);
    await dropSendersWraps(trx, userId, key_id, keyId, RETIRED_WRAPS_AT_ONCE);
    const remaining = await countUses(trx, userId, key_id);
    if (remaining === 0) await deleteRetired(trx, userId, key_id);
    await touchMailbox(trx, userId, 0);
    return remaining;
  });
}
