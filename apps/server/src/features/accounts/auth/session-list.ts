/**
 * The list of a user's sign-ins, to view and to end. A device that stays signed in, or signs in
 * with biometrics, is one entry, whether or not it currently has a session.
 */
import type { OwnSession } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { deviceWordsOf } from '../../../base/device-words.ts';
import { SESSIONS_PER_DEVICE_MAX, SIGNED_IN_MAX } from '../../../base/entry-limits.ts';
import type { Session } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Db, Trx } from '../../../db/pool.ts';
import { lockUser } from '../users/index.ts';
import { endByListIds, endOthers, readDevices, readSessions, trimEnds, trimFamily } from './access-store.ts';
import { announceEnd, earlier } from './sessions.ts';
import { findSession } from './store.ts';
import { hashToken } from './tokens.ts';

type Entry = {
  readonly id: string;
  readonly userAgent: string;
  readonly address: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly endsAt: Date;
  readonly isKept: boolean;
  readonly isBiometric: boolean;
};

async function readEntries(db: Db | Trx, userId: string, now: Date): Promise<Entry[]> {
  const sessions = await readSessions(db, userId, now);
  const devices = await readDevices(db, userId, now);
  const byFamily = Map.groupBy(sessions, session => session.family_id);
  const families = Map.groupBy(devices, device => device.family_id);
  const kept = [...families].map(([id, ofFamily]): Entry => {
    const begun = ofFamily.map(device => ({ ...device, last_used_at: device.created_at }));
    const uses = [...begun, ...(byFamily.get(id) ?? [])];
    const last = uses.reduce((one, other) => (other.last_used_at > one.last_used_at ? other : one));
    const staying = ofFamily.find(device => !device.is_biometric);
    return {
      id,
      userAgent: last.user_agent,
      address: last.address,
      createdAt: ofFamily.map(device => device.started_at).reduce(earlier),
      lastUsedAt: last.last_used_at,
      endsAt: staying?.ends_at ?? ofFamily.map(device => device.expires_at).reduce(earlier),
      isKept: staying !== undefined,
      isBiometric: ofFamily.some(device => device.is_biometric),
    };
  });
  const single = sessions
    .filter(({ family_id }) => family_id === null || !families.has(family_id))
    .map(
      (session): Entry => ({
        id: session.id,
        userAgent: session.user_agent,
        address: session.address,
        createdAt: session.created_at,
        lastUsedAt: session.last_used_at,
        endsAt: session.ends_at,
        isKept: false,
        isBiometric: false,
      }),
    );
  return [...kept, ...single];
}

const isCurrent = (entry: Entry, own: Pick<Session, 'familyId' | 'id'>): boolean =>
  entry.id === own.id || entry.id === own.familyId;

/** Returns all entries of a user, the caller's own first, then the most recently used. */
export async function listSessions({ db, clock }: Deps, own: Session): Promise<OwnSession[]> {
  const entries = await readEntries(db, own.userId, clock.now());
  return entries
    .toSorted(
      (one, other) =>
        Number(isCurrent(other, own)) - Number(isCurrent(one, own)) ||
        other.lastUsedAt.getTime() - one.lastUsedAt.getTime(),
    )
    .map(entry => ({
      id: entry.id,
      device: deviceWordsOf(entry.userAgent),
      address: entry.address,
      created_at: entry.createdAt.toISOString(),
      last_used_at: entry.lastUsedAt.toISOString(),
      ends_at: entry.endsAt.toISOString(),
      kept: entry.isKept,
      biometric: entry.isBiometric,
      current: isCurrent(entry, own),
    }));
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Ends sessions under the account's lock: a device that is being restored concurrently either comes
 * before and also ends, or comes after.
 */
const ending = <T>(db: Db, userId: string, work: (trx: Trx) => Promise<T>): Promise<T> =>
  db.transaction().execute(async trx => {
    await lockUser(trx, userId);
    return work(trx);
  });

/** Ends one entry. Throws not_found if it does not exist or belongs to another user. */
export async function endSession({ db, clock }: Deps, own: Session, id: string): Promise<void> {
  const ended = UUID.test(id)
    ? await ending(db, own.userId, trx =>
        endByListIds(trx, own.userId, [id], { why: 'signed_out', now: clock.now() }),
      )
    : 0;
  if (ended === 0) throw new AppError('not_found');
  announceEnd(db, own.userId);
}

/** Ends all entries except the caller's own; returns their number. */
export async function endOtherSessions({ db, clock }: Deps, own: Session): Promise<number> {
  const others = (await readEntries(db, own.userId, clock.now())).filter(entry => !isCurrent(entry, own));
  await ending(db, own.userId, trx =>
    endOthers(trx, own.userId, own, { why: 'signed_out', now: clock.now() }),
  );
  announceEnd(db, own.userId);
  return others.length;
}

/**
 * [Note: Room for sessions] An attacker who knows a password could fill the table with sessions. A
 * sign-in therefore ends the least recently used sessions beyond the limit, in its transaction and
 * under the account's lock. A device or biometric sign-in, which needs no password, ends only
 * sessions of its own device, so that a copied token cannot evict others.
 */
const TOO_MANY = 'too_many';

/**
 * Ends sessions beyond the limit after a sign-in; call announceEnd after the commit. [Note: Room
 * for sessions]
 */
export async function makeRoom(trx: Trx, userId: string, sessionToken: string, now: Date): Promise<void> {
  const entries = await readEntries(trx, userId, now);
  if (entries.length <= SIGNED_IN_MAX) return;
  const row = await findSession(trx, hashToken('session', sessionToken), now);
  const own = { id: row?.id ?? '', familyId: row?.family_id ?? null };
  const beyond = entries
    .filter(entry => !isCurrent(entry, own))
    .toSorted((one, other) => other.lastUsedAt.getTime() - one.lastUsedAt.getTime())
    .slice(SIGNED_IN_MAX - 1);
  await endByListIds(
    trx,
    userId,
    beyond.map(({ id }) => id),
    { why: TOO_MANY, now },
  );
  await trimEnds(trx, userId, TOO_MANY, SIGNED_IN_MAX);
}

/** Ends a device's sessions beyond the limit, keeping its newest. [Note: Room for sessions] */
export async function makeDeviceRoom(
  trx: Trx,
  device: { readonly userId: string; readonly familyId: string; readonly sessionToken: string },
  now: Date,
): Promise<void> {
  const { userId, familyId, sessionToken } = device;
  const family = { userId, familyId, spared: hashToken('session', sessionToken) };
  await trimFamily(trx, family, SESSIONS_PER_DEVICE_MAX - 1, { why: TOO_MANY, now });
}
