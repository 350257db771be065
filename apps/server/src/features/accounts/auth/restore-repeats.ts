/**
 * [Note: Repeated restores] A restore replaces the device's token, and a second use of the old one ends its family. When the
 * answer is lost the browser has the old one alone. So it sends a random key along, and a repeat under the same key within a
 * minute is the same use: what the first one gave is taken back, and given anew. Beside the replaced token lie a digest of
 * that key and the client key, sealed under both: neither opens it alone.
 *
 * Whoever asks for an answer that was lost has not used it. So once the session that the first use gave was used, a repeat shows that
 * two have the token and the key, and ends the family as any second use does (RFC 9700 §4.14.2). Tabs of one browser are not
 * two: they ask one after the other, under a lock, and who comes second finds the session of the first.
 */
import { timingSafeEqual } from 'node:crypto';
import { AppError } from '@keyfold/contract/errors';
import { RESTORE_REPEAT_MS } from '../../../base/limits.ts';
import type { Db, Trx } from '../../../db/pool.ts';
import { deleteSession, dropRepeats, lockDevice, lockUse, markDeviceReplaced, noteRepeat } from './store.ts';
import { hashToken, isToken, openClientKey, sealClientKey } from './tokens.ts';

/** What a restore gave whose answer nobody got. */
export type Lost = { readonly deviceHash: Buffer; readonly sessionHash: Buffer };

/** The columns of a device that are about repeats. */
type RepeatColumns = {
  readonly replaced_at: Date | null;
  readonly repeat_digest: Buffer | null;
  readonly repeat_key_sealed: Buffer | null;
  readonly successor_hash: Buffer | null;
  readonly successor_session_hash: Buffer | null;
};

/** The key of a restore, in the form of a token. Throws malformed. */
export function readRepeatKey(given: string | undefined): string | undefined {
  if (given === undefined || isToken(given)) return given;
  throw new AppError('malformed', { problems: [{ path: 'idempotency-key', message: 'Not a usable key' }] });
}

const both = (token: string, key: string): string =>
  Buffer.concat([Buffer.from(token, 'base64url'), Buffer.from(key, 'base64url')]).toString('base64url');

/**
 * What a replaced token may still be good for: the client key, and what its first use gave. Null when this is no repeat of that
 * use, when it comes too late, or when somebody has what the first use gave.
 */
export async function openRepeat(
  trx: Trx,
  row: RepeatColumns,
  { token, key, now }: { readonly token: string; readonly key: string | undefined; readonly now: Date },
): Promise<{ readonly clientKey: Buffer; readonly lost: Lost } | null> {
  const { replaced_at, repeat_digest, repeat_key_sealed, successor_hash, successor_session_hash } = row;
  if (key === undefined || replaced_at === null || repeat_digest === null) return null;
  if (repeat_key_sealed === null || successor_hash === null || successor_session_hash === null) return null;
  if (!timingSafeEqual(repeat_digest, hashToken('repeat', key))) return null;
  if (now.getTime() - replaced_at.getTime() > RESTORE_REPEAT_MS) return null;
  const successor = await lockDevice(trx, successor_hash);
  if (successor === undefined || successor.replaced_at !== null) return null;
  const session = await lockUse(trx, successor_session_hash);
  if (session === undefined || session.is_used === true) return null;
  return {
    clientKey: openClientKey('repeat', both(token, key), repeat_key_sealed),
    lost: { deviceHash: successor_hash, sessionHash: successor_session_hash },
  };
}

/** Ends what a lost answer gave; its device token is known again if it comes back. */
export async function takeBack(trx: Trx, { deviceHash, sessionHash }: Lost, now: Date): Promise<void> {
  await markDeviceReplaced(trx, deviceHash, now);
  await deleteSession(trx, sessionHash);
}

/** Lets this use of a token be repeated under its key. `next` is what the use gave. */
export async function allowRepeat(
  trx: Trx,
  use: {
    readonly token: string;
    readonly key: string;
    readonly clientKey: Buffer;
    readonly next: { readonly deviceToken: string; readonly sessionToken: string };
  },
): Promise<void> {
  const { token, key, clientKey, next } = use;
  await noteRepeat(trx, hashToken('device', token), {
    digest: hashToken('repeat', key),
    keySealed: sealClientKey('repeat', both(token, key), clientKey),
    successorHash: hashToken('device', next.deviceToken),
    sessionHash: hashToken('session', next.sessionToken),
  });
}

/** Forgets what repeats that come too late would have needed. */
export const forgetRepeats = (db: Db, now: Date): Promise<void> =>
  dropRepeats(db, new Date(now.getTime() - RESTORE_REPEAT_MS));
