/**
 * Statements on the data around a sign-in: its history, known browsers, active sessions, the login
 * hash and the keys wrapped with it.
 */
import { type SqlBool, sql } from 'kysely';
import type { LoginsTable, SessionEnd } from '../../../db/access-tables.ts';
import type { Db, Trx } from '../../../db/pool.ts';

export type LoginRow = Pick<LoginsTable, 'address' | 'browser' | 'id' | 'outcome' | 'system'> & {
  readonly now: Date;
};

/**
 * Placeholder user for a login ID that no account has, so that the same statements run and find
 * nothing.
 */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/**
 * Records a sign-in of the account with this login ID, unless there is none or it is being deleted.
 */
export async function insertLogin(db: Db | Trx, kdfEmail: string, login: LoginRow): Promise<void> {
  const user = await db.selectFrom('users').select('id').where('kdf_email', '=', kdfEmail).executeTakeFirst();
  await sql`
    insert into logins (user_id, id, outcome, browser, system, address, created_at)
    select id, ${login.id}::uuid, ${login.outcome}::text, ${login.browser}::text, ${login.system}::text,
      ${login.address}::text, ${login.now}::timestamptz
    from users where id = ${user?.id ?? NOBODY}::uuid for key share`.execute(db);
}

/**
 * Returns whether an account has a sign-in of this kind from the same device and network since the
 * given time.
 */
export async function hasLoginLike(
  db: Db | Trx,
  kdfEmail: string,
  { outcome, browser, system, address }: Omit<LoginRow, 'id' | 'now'>,
  since: Date,
): Promise<boolean> {
  const row = await db
    .selectFrom('logins as l')
    .innerJoin('users as u', 'u.id', 'l.user_id')
    .select('l.id')
    .where('u.kdf_email', '=', kdfEmail)
    .where('l.created_at', '>', since)
    .where('l.outcome', '=', outcome)
    .where('l.browser', 'is not distinct from', browser)
    .where('l.system', 'is not distinct from', system)
    .where('l.address', '=', address)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Deletes an account's oldest refused sign-ins, or the oldest of the others, beyond the given
 * number.
 */
export async function trimLogins(
  db: Db | Trx,
  kdfEmail: string,
  isRefused: boolean,
  kept: number,
): Promise<void> {
  await sql`
    delete from logins where (user_id, id) in (
      select l.user_id, l.id from logins l join users u on u.id = l.user_id
      where u.kdf_email = ${kdfEmail} and (l.outcome in ('wrong_password', 'wrong_code')) = ${isRefused}
      order by l.created_at desc, l.id desc offset ${kept}
    )`.execute(db);
}

export const readLogins = (db: Db, userId: string, since: Date) =>
  db
    .selectFrom('logins')
    .select(['id', 'outcome', 'browser', 'system', 'address', 'created_at'])
    .where('user_id', '=', userId)
    .where('created_at', '>', since)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();

/** Records that a browser was seen; returns whether it was known before. */
export async function touchBrowser(trx: Trx, userId: string, tokenHash: Buffer, now: Date): Promise<boolean> {
  // Two statements, because only PostgreSQL's xmax reveals whether an upsert inserted or updated,
  // and a distributed database does not have it.
  const added = await trx
    .insertInto('known_browsers')
    .values({ user_id: userId, token_hash: tokenHash, seen_at: now })
    .onConflict(conflict => conflict.columns(['user_id', 'token_hash']).doNothing())
    .executeTakeFirst();
  if (Number(added.numInsertedOrUpdatedRows) > 0) return false;
  await trx
    .updateTable('known_browsers')
    .set({ seen_at: now })
    .where('user_id', '=', userId)
    .where('token_hash', '=', tokenHash)
    .execute();
  return true;
}

export async function hasBrowser(db: Db, kdfEmail: string, tokenHash: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom('known_browsers as b')
    .innerJoin('users as u', 'u.id', 'b.user_id')
    .select('b.user_id')
    .where('u.kdf_email', '=', kdfEmail)
    .where('b.token_hash', '=', tokenHash)
    .executeTakeFirst();
  return row !== undefined;
}

export async function countBrowsers(trx: Trx, userId: string): Promise<number> {
  const row = await trx
    .selectFrom('known_browsers')
    .select(eb => eb.fn.countAll<number>().as('total'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(row.total);
}

/** Returns the user's living sessions. */
export const readSessions = (db: Db | Trx, userId: string, now: Date) =>
  db
    .selectFrom('sessions')
    .select(['id', 'family_id', 'user_agent', 'address', 'created_at', 'last_used_at', 'ends_at'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .execute();

/** Returns those of the token hashes whose session lives and whose user is active. */
export async function findLivingHashes(
  db: Db,
  tokenHashes: readonly Buffer[],
  now: Date,
): Promise<readonly Buffer[]> {
  const rows = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select('sessions.token_hash')
    .where('sessions.token_hash', 'in', [...tokenHashes])
    .where('sessions.ended', 'is', null)
    .where('sessions.expires_at', '>', now)
    .where('users.status', '=', 'active')
    .execute();
  return rows.map(row => row.token_hash);
}

/** Returns the user's devices that can restore a session. */
export const readDevices = (db: Db | Trx, userId: string, now: Date) =>
  db
    .selectFrom('devices')
    .select([
      'family_id',
      'user_agent',
      'address',
      'created_at',
      'started_at',
      'expires_at',
      'ends_at',
      'is_biometric',
    ])
    .where('user_id', '=', userId)
    .where('replaced_at', 'is', null)
    .where('expires_at', '>', now)
    .execute();

/** Why and when sessions end. */
type Ending = { readonly why: SessionEnd; readonly now: Date };

/**
 * Maximum rows per statement: PostgreSQL accepts 65,535 parameters in one, and an account may have
 * any number of sessions.
 */
const ROWS_AT_ONCE = 1_000;

/** Records that deleted sessions ended and why. The recorded rows have expired and open nothing. */
async function keepEnds(
  trx: Trx,
  userId: string,
  tokenHashes: readonly Buffer[],
  { why, now }: Ending,
): Promise<void> {
  for (let start = 0; start < tokenHashes.length; start += ROWS_AT_ONCE)
    await trx
      .insertInto('sessions')
      .values(
        tokenHashes.slice(start, start + ROWS_AT_ONCE).map(token_hash => ({
          token_hash,
          user_id: userId,
          client_key_sealed: Buffer.alloc(0),
          created_at: now,
          last_used_at: now,
          expires_at: now,
          ends_at: now,
          is_used: true,
          ended: why,
        })),
      )
      .execute();
}

/** Ends sessions and whole families by their IDs in lists; returns the number of rows. */
export async function endByListIds(
  trx: Trx,
  userId: string,
  ids: readonly string[],
  end: Ending,
): Promise<number> {
  const sessions = await trx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('ended', 'is', null)
    .where(sql<SqlBool>`(id = any(${[...ids]}::uuid[]) or family_id = any(${[...ids]}::uuid[]))`)
    .returning('token_hash')
    .execute();
  const devices = await trx
    .deleteFrom('devices')
    .where('user_id', '=', userId)
    .where(sql<SqlBool>`family_id = any(${[...ids]}::uuid[])`)
    .executeTakeFirst();
  await keepEnds(
    trx,
    userId,
    sessions.map(row => row.token_hash),
    end,
  );
  return sessions.length + Number(devices.numDeletedRows);
}

/**
 * Ends the least recently used sessions of a family beyond the given number, sparing one session.
 */
export async function trimFamily(
  trx: Trx,
  family: { readonly userId: string; readonly familyId: string; readonly spared: Buffer },
  kept: number,
  end: Ending,
): Promise<void> {
  const { userId, familyId, spared } = family;
  const { rows } = await sql<{ token_hash: Buffer }>`
    delete from sessions where token_hash in (
      select token_hash from sessions
      where user_id = ${userId}::uuid and family_id = ${familyId}::uuid and ended is null and token_hash <> ${spared}
      order by last_used_at desc, token_hash offset ${kept}
    ) returning token_hash`.execute(trx);
  await keepEnds(
    trx,
    userId,
    rows.map(row => row.token_hash),
    end,
  );
}

/**
 * Keeps only the given number of most recent sessions that ended for one reason; deletes the
 * others.
 */
export async function trimEnds(trx: Trx, userId: string, why: SessionEnd, kept: number): Promise<void> {
  await sql`
    delete from sessions where token_hash in (
      select token_hash from sessions where user_id = ${userId}::uuid and ended = ${why}
      order by created_at desc, token_hash offset ${kept}
    )`.execute(trx);
}

/**
 * Ends all sessions and devices of a user except one session and its family, including MFA-pending
 * sessions; null spares none. Biometric tokens always end, because a copied token belongs to the
 * same family. Ended sessions report the reason at their next use.
 */
export async function endOthers(
  trx: Trx,
  userId: string,
  kept: { readonly tokenHash: Buffer; readonly familyId: string | null } | null,
  end: Ending,
): Promise<void> {
  const sessions = trx.deleteFrom('sessions').where('user_id', '=', userId).where('ended', 'is', null);
  const ended = await (kept === null ? sessions : sessions.where('token_hash', '<>', kept.tokenHash))
    .returning('token_hash')
    .execute();
  const devices = trx.deleteFrom('devices').where('user_id', '=', userId);
  await trx.deleteFrom('half_sessions').where('user_id', '=', userId).execute();
  const familyId = kept?.familyId ?? null;
  await (familyId === null
    ? devices
    : devices.where(eb => eb.or([eb('family_id', '<>', familyId), eb('is_biometric', '=', true)]))
  ).execute();
  await keepEnds(
    trx,
    userId,
    ended.map(row => row.token_hash),
    end,
  );
}

/** Deletes the browsers that a user signed in with. */
export async function deleteBrowsers(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('known_browsers').where('user_id', '=', userId).execute();
}

/**
 * Ends all sessions and devices of a user, including MFA-pending sessions; call announceEnd after
 * the commit.
 */
export const endAllSessions = (trx: Trx, userId: string, end: Ending): Promise<void> =>
  endOthers(trx, userId, null, end);

/**
 * Returns the user of a session that was ended from elsewhere, and the reason; undefined for any
 * other token.
 */
export const findEnd = (db: Db, tokenHash: Buffer) =>
  db
    .selectFrom('sessions')
    .select(['user_id', 'ended'])
    .where('token_hash', '=', tokenHash)
    .where('ended', 'is not', null)
    .executeTakeFirst();

/** Returns the account data that checking a password or rewrapped keys requires. */
export const findSecrets = (db: Db | Trx, userId: string) =>
  db
    .selectFrom('users')
    .select(['login_hash', 'main_key', 'kdf_email'])
    .where('id', '=', userId)
    .executeTakeFirst();
