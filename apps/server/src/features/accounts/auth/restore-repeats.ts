/**
 * [Note: Repeated restores] A restore replaces the device's token, and a second use of the old
 * token ends its family. If the response is lost, the browser has only the old token. The browser
 * therefore sends a random key along, and a repeat with the same key within a minute counts as the
 * same use: the tokens of the first response are revoked, and new ones are issued. Beside the
 * replaced token, the server stores a digest of that key and the client key, sealed under both:
 * neither opens it alone.
 *
 * A client that asks for a lost response has not used it. Once the session from the first use has
 * been used, a repeat therefore shows that two parties have the token and the key, and ends the
 * family like any second use (RFC 9700 §4.14.2). Tabs of one browser do not count as two parties:
 * they restore one after the other, under a lock, and the second tab finds the session of the
 * first.
 */
import { timingSafeEqual } from 'node:crypto';
import { AppError } from '@keyfold/contract/errors';
import { RESTORE_REPEAT_MS } from '../../../base/limits.ts';
import type { Db, Trx } from '../../../db/pool.ts';
import { deleteSession, dropRepeats, lockDevice, lockUse, markDeviceReplaced, noteRepeat } from './store.ts';
import { hashToken, isToken, openClientKey, sealClientKey } from './tokens.ts';

/** The tokens of a restore whose response was lost. */
export type Lost = { readonly deviceHash: Buffer; readonly sessionHash: Buffer };

/** A device's columns for repeated restores. */
type RepeatColumns = {
  readonly replaced_at: Date | null;
  readonly repeat_digest: Buffer | null;
  readonly repeat_key_sealed: Buffer | null;
  readonly successor_hash: Buffer | null;
  readonly successor_session_hash: Buffer | null;
};

/** Returns the repeat key of a restore, which has the form of a token. Throws malformed. */
export function readRepeatKey(given: string | undefined): string | undefined {
  if (given === undefined || isToken(given)) return given;
  throw new AppError('malformed', {
    problems: [{ path: 'idempotency-key', message: 'Invalid idempotency key' }],
  });
}

const both = (token: string, key: string): string =>
  Buffer.concat([Buffer.from(token, 'base64url'), Buffer.from(key, 'base64url')]).toString('base64url');

/**
 * Returns the client key and the result of the first use of a replaced token. Returns null if this
 * is not a repeat of that use, it comes too late, or the result of the first use has been used.
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

/**
 * Ends the session and device token of a lost response; the device token stays recognizable as
 * replaced if it is used later.
 */
export async function takeBack(trx: Trx, { deviceHash, sessionHash }: Lost, now: Date): Promise<void> {
  await markDeviceReplaced(trx, deviceHash, now);
  await deleteSession(trx, sessionHash);
}

/**
 * Allows this use of a token to be repeated with its key. `next` contains the tokens that the use
 * issued.
 */
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

/** Deletes the data of repeats that would now come too late. */
export const forgetRepeats = (db: Db, now: Date): Promise<void> =>
  dropRepeats(db, new Date(now.getTime() - RESTORE_REPEAT_MS));
