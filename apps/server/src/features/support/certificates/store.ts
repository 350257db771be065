/** SQL of the certificates, the accounts with authorities, and pending challenges. */
import { type Selectable, sql } from 'kysely';
import type { CertificatesTable } from '../../../db/certificate-tables.ts';
import { claimRows, sharedQueue } from '../../../db/claim.ts';
import type { Db } from '../../../db/pool.ts';

export type CertificateRow = Selectable<CertificatesTable>;

const DAY_MS = 24 * 60 * 60 * 1000;
/** See [Note: Wanted names] in db/migrations/0170-certificates.ts. */
const WANTED_MS = 2 * DAY_MS;
const UNWANTED_KEPT_MS = 30 * DAY_MS;

const before = (now: Date, ms: number): Date => new Date(now.getTime() - ms);

/** Notes that a machine wants these names; those that are new are due now. */
export async function wantNames(db: Db, names: readonly string[], now: Date): Promise<void> {
  await sql`
    insert into certificates (name, next_try_at, wanted_at)
    select name, ${now}::timestamptz, ${now}::timestamptz from unnest(${[...names]}::text[]) as name
    on conflict (name) do update set wanted_at = excluded.wanted_at
    where certificates.wanted_at < ${before(now, DAY_MS)}`.execute(db);
}

/** Deletes names that no machine has wanted for long. */
export async function deleteUnwanted(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('certificates').where('wanted_at', '<', before(now, UNWANTED_KEPT_MS)).execute();
}

const queue = sharedQueue('certificates', ['name']);

/**
 * Claims the name that has been due for longest, or `name` whether due or not, until
 * `claimedUntil`. Returns undefined when there is none.
 */
export async function claimDue(
  db: Db,
  { now, claimedUntil, name }: { readonly now: Date; readonly claimedUntil: Date; readonly name?: string },
): Promise<CertificateRow | undefined> {
  const [row] = await claimRows(db, queue, {
    where:
      name === undefined
        ? sql<boolean>`next_try_at <= ${now} and wanted_at >= ${before(now, WANTED_MS)}`
        : sql<boolean>`name = ${name}`,
    orderBy: 'next_try_at',
    limit: 1,
    set: { next_try_at: claimedUntil },
  });
  return row;
}

export type Issued = {
  readonly name: string;
  readonly keySealed: Buffer;
  readonly chain: string;
  readonly issuedAt: Date;
  readonly endsAt: Date;
  readonly renewAt: Date;
};

export async function putIssued(db: Db, issued: Issued): Promise<void> {
  await db
    .updateTable('certificates')
    .set({
      key_sealed: issued.keySealed,
      chain: issued.chain,
      issued_at: issued.issuedAt,
      ends_at: issued.endsAt,
      next_try_at: issued.renewAt,
      failures: 0,
      problem: null,
      problem_detail: null,
    })
    .where('name', '=', issued.name)
    .execute();
}

export async function putProblem(
  db: Db,
  name: string,
  found: {
    readonly problem: string;
    readonly detail: string | null;
    readonly nextTryAt: Date;
    readonly failures: number;
  },
): Promise<void> {
  await db
    .updateTable('certificates')
    .set({
      problem: found.problem,
      problem_detail: found.detail,
      next_try_at: found.nextTryAt,
      failures: found.failures,
    })
    .where('name', '=', name)
    .execute();
}

export const findByName = (db: Db, name: string): Promise<CertificateRow | undefined> =>
  db.selectFrom('certificates').selectAll().where('name', '=', name).executeTakeFirst();

/** Returns the issued certificates without their keys. */
export const listIssued = (db: Db) =>
  db
    .selectFrom('certificates')
    .select(['name', 'issued_at', 'ends_at'])
    .where('issued_at', 'is not', null)
    .execute();

/** Returns a page of names with their state, those with problems first. */
export const listStates = (
  db: Db,
  { now, offset, limit }: { readonly now: Date; readonly offset: number; readonly limit: number },
) =>
  db
    .selectFrom('certificates')
    .select(['name', 'issued_at', 'ends_at', 'next_try_at', 'failures', 'problem', 'problem_detail'])
    .where('wanted_at', '>=', before(now, WANTED_MS))
    .orderBy('failures', 'desc')
    .orderBy('name')
    .offset(offset)
    .limit(limit)
    .execute();

export async function countFailing(db: Db, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('certificates')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('failures', '>', 0)
    .where('wanted_at', '>=', before(now, WANTED_MS))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export const findAccount = (db: Db, directory: string) =>
  db.selectFrom('acme_accounts').selectAll().where('directory', '=', directory).executeTakeFirst();

export async function insertAccount(
  db: Db,
  account: { readonly directory: string; readonly keySealed: Buffer; readonly now: Date },
): Promise<void> {
  await db
    .insertInto('acme_accounts')
    .values({ directory: account.directory, key_sealed: account.keySealed, created_at: account.now })
    .onConflict(conflict => conflict.doNothing())
    .execute();
}

/** Replaces the key of an account that this server can no longer open. */
export async function replaceAccount(db: Db, directory: string, keySealed: Buffer): Promise<void> {
  await db
    .updateTable('acme_accounts')
    .set({ key_sealed: keySealed })
    .where('directory', '=', directory)
    .execute();
}

export async function insertChallenge(
  db: Db,
  challenge: {
    readonly token: string;
    readonly response: string;
    readonly now: Date;
    readonly staleBefore: Date;
  },
): Promise<void> {
  await db.deleteFrom('acme_challenges').where('created_at', '<', challenge.staleBefore).execute();
  await db
    .insertInto('acme_challenges')
    .values({ token: challenge.token, response: challenge.response, created_at: challenge.now })
    .onConflict(conflict => conflict.column('token').doUpdateSet({ response: challenge.response }))
    .execute();
}

export async function deleteChallenge(db: Db, token: string): Promise<void> {
  await db.deleteFrom('acme_challenges').where('token', '=', token).execute();
}

/** Returns the response to a challenge; null when there is none. */
export async function findChallenge(db: Db, token: string): Promise<string | null> {
  const row = await db
    .selectFrom('acme_challenges')
    .select('response')
    .where('token', '=', token)
    .executeTakeFirst();
  return row?.response ?? null;
}
