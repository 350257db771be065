/**
 * Statements on accounts during sign-up, sessions, devices and used captchas. The rules are in the
 * neighboring files.
 */

import type { AdminLevel } from '@keyfold/contract/limits';
import type { Db, Trx } from '../../../db/pool.ts';

/**
 * Gives a new account its primary address and an empty mailbox. Rejects with a duplicate error when
 * the address is taken.
 */
export async function openAccount(
  trx: Trx,
  { id, address }: { readonly id: string; readonly address: string },
): Promise<void> {
  await trx.insertInto('addresses').values({ address, user_id: id, is_primary: true }).execute();
  await trx.insertInto('mailboxes').values({ user_id: id }).execute();
}

/**
 * Returns when the `ago`-th most recent account was created, or undefined when there are fewer
 * accounts or it was created before `since`.
 */
export async function findSignup(db: Db, ago: number, since: Date): Promise<Date | undefined> {
  const row = await db
    .selectFrom('users')
    .select('created_at')
    .where('created_at', '>', since)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(ago - 1)
    .limit(1)
    .executeTakeFirst();
  return row?.created_at;
}

/**
 * Returns the data that a repeated registration is compared with. Reads nothing of accounts from
 * before `since`: their keys are long, and the time to read them would reveal that the account
 * exists.
 */
export const findMade = (db: Db, kdfEmail: string, since: Date) =>
  db
    .selectFrom('users')
    .select(['id', 'login_hash', 'main_key', 'status'])
    .where('kdf_email', '=', kdfEmail)
    .where('created_at', '>=', since)
    .executeTakeFirst();

/** Returns the login data of the account with this login id. */
export const findLogin = (db: Db | Trx, kdfEmail: string) =>
  db
    .selectFrom('users')
    .select(['id', 'login_hash', 'status'])
    .where('kdf_email', '=', kdfEmail)
    .executeTakeFirst();

/** Returns whether an address is a user's login id or one of their addresses. */
export async function isAddressOf(db: Db | Trx, userId: string, address: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where(eb =>
      eb.or([
        eb('kdf_email', '=', address),
        eb('email', '=', address),
        eb.exists(
          eb
            .selectFrom('addresses')
            .select('addresses.address')
            .where('addresses.address', '=', address)
            .whereRef('addresses.user_id', '=', 'users.id'),
        ),
      ]),
    )
    .executeTakeFirst();
  return row !== undefined;
}

export type SessionRow = {
  readonly token_hash: Buffer;
  readonly id: string;
  readonly user_id: string;
  readonly client_key_sealed: Buffer;
  readonly family_id: string | null;
  readonly last_used_at: Date;
  readonly ends_at: Date;
  readonly is_used: boolean | null;
  readonly status: 'active' | 'suspended';
  readonly plan: 'free' | 'plus' | 'pro';
  readonly is_admin: boolean;
  readonly admin_level: AdminLevel | null;
};

/** Returns a living session with the user data that the access check needs. */
export const findSession = (db: Db | Trx, tokenHash: Buffer, now: Date): Promise<SessionRow | undefined> =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'sessions.token_hash',
      'sessions.id',
      'sessions.user_id',
      'sessions.client_key_sealed',
      'sessions.family_id',
      'sessions.last_used_at',
      'sessions.ends_at',
      'sessions.is_used',
      'users.status',
      'users.plan',
      'users.is_admin',
      'users.admin_level',
    ])
    .where('sessions.token_hash', '=', tokenHash)
    .where('sessions.expires_at', '>', now)
    .executeTakeFirst();

export async function insertSession(
  trx: Db | Trx,
  session: {
    readonly tokenHash: Buffer;
    readonly userId: string;
    readonly clientKeySealed: Buffer;
    readonly familyId: string | null;
    readonly userAgent: string;
    readonly address: string;
    readonly now: Date;
    readonly expiresAt: Date;
    readonly endsAt: Date;
  },
): Promise<void> {
  await trx
    .insertInto('sessions')
    .values({
      token_hash: session.tokenHash,
      user_id: session.userId,
      client_key_sealed: session.clientKeySealed,
      family_id: session.familyId,
      user_agent: session.userAgent,
      address: session.address,
      created_at: session.now,
      last_used_at: session.now,
      expires_at: session.expiresAt,
      ends_at: session.endsAt,
      is_used: false,
    })
    .execute();
}

export async function noteFirstUse(db: Db, tokenHash: Buffer): Promise<void> {
  await db.updateTable('sessions').set({ is_used: true }).where('token_hash', '=', tokenHash).execute();
}

/** Returns, for every session of a user, whether it was used. */
export const readUses = (trx: Trx, userId: string) =>
  trx
    .selectFrom('sessions')
    .select('is_used')
    .where('user_id', '=', userId)
    .where('ended', 'is', null)
    .execute();

/** Locks a session and returns whether it was used, or undefined when it does not exist. */
export const lockUse = (trx: Trx, tokenHash: Buffer) =>
  trx
    .selectFrom('sessions')
    .select('is_used')
    .where('token_hash', '=', tokenHash)
    .where('ended', 'is', null)
    .forUpdate()
    .executeTakeFirst();

/** Records activity of a session and extends its lifetime. */
export async function touchSession(
  db: Db,
  tokenHash: Buffer,
  use: { readonly now: Date; readonly expiresAt: Date; readonly address?: string },
): Promise<void> {
  const { now, expiresAt, address } = use;
  await db
    .updateTable('sessions')
    .set({
      last_used_at: now,
      expires_at: expiresAt,
      ...(address === undefined ? {} : { address }),
    })
    .where('token_hash', '=', tokenHash)
    .where('ended', 'is', null)
    .execute();
}

export async function deleteSession(db: Db | Trx, tokenHash: Buffer): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute();
}

/** Returns the owner of a device token, used or not, without a lock. */
export const findDeviceOwner = (db: Db | Trx, tokenHash: Buffer) =>
  db.selectFrom('devices').select('user_id').where('token_hash', '=', tokenHash).executeTakeFirst();

/** Locks and reads the row of a device token, used or not. */
export const lockDevice = (trx: Trx, tokenHash: Buffer) =>
  trx.selectFrom('devices').selectAll().where('token_hash', '=', tokenHash).forUpdate().executeTakeFirst();

export async function insertDevice(
  trx: Trx,
  device: {
    readonly tokenHash: Buffer;
    readonly familyId: string;
    readonly userId: string;
    readonly clientKeySealed: Buffer;
    readonly userAgent: string;
    readonly address: string;
    readonly now: Date;
    readonly startedAt: Date;
    readonly expiresAt: Date;
    readonly endsAt: Date;
    readonly isBiometric?: boolean;
  },
): Promise<void> {
  await trx
    .insertInto('devices')
    .values({
      token_hash: device.tokenHash,
      family_id: device.familyId,
      user_id: device.userId,
      client_key_sealed: device.clientKeySealed,
      user_agent: device.userAgent,
      address: device.address,
      created_at: device.now,
      started_at: device.startedAt,
      expires_at: device.expiresAt,
      ends_at: device.endsAt,
      is_biometric: device.isBiometric ?? false,
    })
    .execute();
}

/**
 * Marks a device token as used. Deletes the client key but keeps the row to detect a second use.
 */
export async function markDeviceReplaced(trx: Trx, tokenHash: Buffer, now: Date): Promise<void> {
  await trx
    .updateTable('devices')
    .set({ replaced_at: now, client_key_sealed: Buffer.alloc(0) })
    .where('token_hash', '=', tokenHash)
    .execute();
}

/** Stores with a replaced token the data that a retry of its use needs. */
export async function noteRepeat(
  trx: Trx,
  tokenHash: Buffer,
  repeat: {
    readonly digest: Buffer;
    readonly keySealed: Buffer;
    readonly successorHash: Buffer;
    readonly sessionHash: Buffer;
  },
): Promise<void> {
  await trx
    .updateTable('devices')
    .set({
      repeat_digest: repeat.digest,
      repeat_key_sealed: repeat.keySealed,
      successor_hash: repeat.successorHash,
      successor_session_hash: repeat.sessionHash,
    })
    .where('token_hash', '=', tokenHash)
    .execute();
}

/** Deletes the retry data of tokens that were replaced before `until`. */
export async function dropRepeats(db: Db, until: Date): Promise<void> {
  await db
    .updateTable('devices')
    .set({ repeat_digest: null, repeat_key_sealed: null, successor_hash: null, successor_session_hash: null })
    .where('repeat_digest', 'is not', null)
    .where('replaced_at', '<', until)
    .execute();
}

/** Marks every session-restoring device token of a family as used. */
export async function retireDevices(trx: Trx, familyId: string, now: Date): Promise<void> {
  await trx
    .updateTable('devices')
    .set({ replaced_at: now, client_key_sealed: Buffer.alloc(0) })
    .where('family_id', '=', familyId)
    .where('is_biometric', '=', false)
    .where('replaced_at', 'is', null)
    .execute();
}

/** Returns the family of a session without a lock, or undefined when the session does not exist. */
export const findSessionFamily = (db: Db | Trx, tokenHash: Buffer) =>
  db.selectFrom('sessions').select('family_id').where('token_hash', '=', tokenHash).executeTakeFirst();

/**
 * Adds a session to a family, so that ending one ends the other. See [Note: Biometrics are of a
 * session].
 */
export async function putSessionInFamily(trx: Trx, tokenHash: Buffer, familyId: string): Promise<void> {
  await trx
    .updateTable('sessions')
    .set({ family_id: familyId })
    .where('token_hash', '=', tokenHash)
    .execute();
}

const findLivingDevice = (trx: Trx, familyId: string, isBiometric: boolean, now: Date) =>
  trx
    .selectFrom('devices')
    .select('family_id')
    .where('family_id', '=', familyId)
    .where('is_biometric', '=', isBiometric)
    .where('replaced_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();

/** Returns whether a device of a family stays signed in. */
export const hasStayingDevice = async (trx: Trx, familyId: string, now: Date): Promise<boolean> =>
  (await findLivingDevice(trx, familyId, false, now)) !== undefined;

/** Returns whether a phone of a family unlocks with biometrics. */
export const hasBiometrics = async (trx: Trx, familyId: string, now: Date): Promise<boolean> =>
  (await findLivingDevice(trx, familyId, true, now)) !== undefined;

/**
 * Ends the sessions of a family and every token that restores one. Biometrics of the family stay.
 * Token rows are kept to detect reuse.
 */
export async function stopStaying(trx: Trx, familyId: string, userId: string, now: Date): Promise<void> {
  await trx.deleteFrom('sessions').where('user_id', '=', userId).where('family_id', '=', familyId).execute();
  await retireDevices(trx, familyId, now);
}

/** Deletes one device token and ends no session. */
export async function deleteDevice(trx: Trx, tokenHash: Buffer): Promise<void> {
  await trx.deleteFrom('devices').where('token_hash', '=', tokenHash).execute();
}

/** Deletes every device token of a family and ends the sessions that came from it. */
export async function deleteFamily(trx: Trx, familyId: string, userId: string): Promise<void> {
  await trx.deleteFrom('sessions').where('user_id', '=', userId).where('family_id', '=', familyId).execute();
  await trx.deleteFrom('devices').where('family_id', '=', familyId).execute();
}

/** Returns whether a solved captcha was already used to create an account. */
export async function isCaptchaUsed(db: Db, nonce: string): Promise<boolean> {
  const row = await db
    .selectFrom('captchas_used')
    .select('nonce')
    .where('nonce', '=', nonce)
    .executeTakeFirst();
  return row !== undefined;
}

/** Records a solved captcha as used; returns false when it was used before. */
export async function useCaptcha(db: Db | Trx, nonce: string, expiresAt: Date): Promise<boolean> {
  const rows = await db
    .insertInto('captchas_used')
    .values({ nonce, expires_at: expiresAt })
    .onConflict(conflict => conflict.doNothing())
    .returning('nonce')
    .execute();
  return rows.length === 1;
}
