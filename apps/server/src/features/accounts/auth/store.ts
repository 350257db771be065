/**
 * Statements on accounts being made, sessions, devices and used captchas. Rules stand in the files beside it.
 */

import type { AdminLevel } from '@keyfold/contract/limits';
import type { Db, Trx } from '../../../db/pool.ts';

/** Gives a new account its primary address and an empty mailbox. Rejects as a duplicate when the address is taken. */
export async function openAccount(
  trx: Trx,
  { id, address }: { readonly id: string; readonly address: string },
): Promise<void> {
  await trx.insertInto('addresses').values({ address, user_id: id, is_primary: true }).execute();
  await trx.insertInto('mailboxes').values({ user_id: id }).execute();
}

/** When the account was made that came so many accounts ago; undefined when there are fewer, or it was made before then. */
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
 * What a repeated registration is held against. Of an account from before `since` nothing is read: its keys are long, and the time
 * for them would tell that it is there.
 */
export const findMade = (db: Db, kdfEmail: string, since: Date) =>
  db
    .selectFrom('users')
    .select(['id', 'login_hash', 'main_key', 'status'])
    .where('kdf_email', '=', kdfEmail)
    .where('created_at', '>=', since)
    .executeTakeFirst();

/** What login needs of the account whose login id this is. */
export const findLogin = (db: Db | Trx, kdfEmail: string) =>
  db
    .selectFrom('users')
    .select(['id', 'login_hash', 'status'])
    .where('kdf_email', '=', kdfEmail)
    .executeTakeFirst();

/** Whether an address is the login id or one of the addresses of a user. */
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

/** A living session with what the access check asks about its user. */
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

/** Notes the first use of a session. */
export async function noteFirstUse(db: Db, tokenHash: Buffer): Promise<void> {
  await db.updateTable('sessions').set({ is_used: true }).where('token_hash', '=', tokenHash).execute();
}

/** Of every session of a user whether it was used. */
export const readUses = (trx: Trx, userId: string) =>
  trx
    .selectFrom('sessions')
    .select('is_used')
    .where('user_id', '=', userId)
    .where('ended', 'is', null)
    .execute();

/** Whether a session was used, under its lock; undefined when it is not there. */
export const lockUse = (trx: Trx, tokenHash: Buffer) =>
  trx
    .selectFrom('sessions')
    .select('is_used')
    .where('token_hash', '=', tokenHash)
    .where('ended', 'is', null)
    .forUpdate()
    .executeTakeFirst();

/** Notes that a session is active, and moves its end. */
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

/** Whose a device is, used or not; under no lock. */
export const findDeviceOwner = (db: Db | Trx, tokenHash: Buffer) =>
  db.selectFrom('devices').select('user_id').where('token_hash', '=', tokenHash).executeTakeFirst();

/** Locks and reads a device's row, used or not. */
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

/** Marks a device token as used: the client key goes, the row stays to recognise a second use. */
export async function markDeviceReplaced(trx: Trx, tokenHash: Buffer, now: Date): Promise<void> {
  await trx
    .updateTable('devices')
    .set({ replaced_at: now, client_key_sealed: Buffer.alloc(0) })
    .where('token_hash', '=', tokenHash)
    .execute();
}

/** Notes with a replaced token what a repeat of its use needs. */
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

/** Forgets what repeats need of tokens that were replaced before `until`. */
export async function dropRepeats(db: Db, until: Date): Promise<void> {
  await db
    .updateTable('devices')
    .set({ repeat_digest: null, repeat_key_sealed: null, successor_hash: null, successor_session_hash: null })
    .where('repeat_digest', 'is not', null)
    .where('replaced_at', '<', until)
    .execute();
}

/** Marks every device token of a family that restores sessions as used. */
export async function retireDevices(trx: Trx, familyId: string, now: Date): Promise<void> {
  await trx
    .updateTable('devices')
    .set({ replaced_at: now, client_key_sealed: Buffer.alloc(0) })
    .where('family_id', '=', familyId)
    .where('is_biometric', '=', false)
    .where('replaced_at', 'is', null)
    .execute();
}

/** The family of a session, under no lock; undefined when the session is not there. */
export const findSessionFamily = (db: Db | Trx, tokenHash: Buffer) =>
  db.selectFrom('sessions').select('family_id').where('token_hash', '=', tokenHash).executeTakeFirst();

/** Makes a session one of a family: what ends one ends the other. See [Note: Biometrics are of a session]. */
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

/** Whether a device of a family stays signed in. */
export const hasStayingDevice = async (trx: Trx, familyId: string, now: Date): Promise<boolean> =>
  (await findLivingDevice(trx, familyId, false, now)) !== undefined;

/** Whether a phone of a family opens by its biometrics. */
export const hasBiometrics = async (trx: Trx, familyId: string, now: Date): Promise<boolean> =>
  (await findLivingDevice(trx, familyId, true, now)) !== undefined;

/** Ends the sessions of a family, and whatever restores one; biometrics of it stay. Tokens are known again if they come back. */
export async function stopStaying(trx: Trx, familyId: string, userId: string, now: Date): Promise<void> {
  await trx.deleteFrom('sessions').where('user_id', '=', userId).where('family_id', '=', familyId).execute();
  await retireDevices(trx, familyId, now);
}

/** Ends one device token and no session. */
export async function deleteDevice(trx: Trx, tokenHash: Buffer): Promise<void> {
  await trx.deleteFrom('devices').where('token_hash', '=', tokenHash).execute();
}

/** Ends every device token of a family and the sessions that came from it. */
export async function deleteFamily(trx: Trx, familyId: string, userId: string): Promise<void> {
  await trx.deleteFrom('sessions').where('user_id', '=', userId).where('family_id', '=', familyId).execute();
  await trx.deleteFrom('devices').where('family_id', '=', familyId).execute();
}

/** Whether an account was made with a solved captcha. */
export async function isCaptchaUsed(db: Db, nonce: string): Promise<boolean> {
  const row = await db
    .selectFrom('captchas_used')
    .select('nonce')
    .where('nonce', '=', nonce)
    .executeTakeFirst();
  return row !== undefined;
}

/** Remembers a solved captcha; false when it was used before. */
export async function useCaptcha(db: Db | Trx, nonce: string, expiresAt: Date): Promise<boolean> {
  const rows = await db
    .insertInto('captchas_used')
    .values({ nonce, expires_at: expiresAt })
    .onConflict(conflict => conflict.doNothing())
    .returning('nonce')
    .execute();
  return rows.length === 1;
}
