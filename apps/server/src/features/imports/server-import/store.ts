/**
 * Statements of imports that the server does: the queue of them, how far each is, and the end of each, which takes its secret
 * along.
 */
import { type SqlBool, sql } from 'kysely';
import type { ImportItemFailure, ImportKind } from '../../../db/import-tables.ts';
import type { Db, Trx } from '../../../db/pool.ts';

/** Size of a file that is not there yet: its import waits for it, and nobody reads it. */
const NOT_THERE = -1;

const WAITING = ['queued', 'running'] as const;

export type ServerImport = {
  readonly userId: string;
  readonly id: string;
  /** The key of a file, or what opens a mailbox at another provider; sealed by the server. */
  readonly secretSealed: Buffer | null;
  readonly sizeBytes: number;
  readonly hasFolderTags: boolean;
  readonly lastKey: string | null;
  readonly processed: number;
  readonly deaths: number;
  /** How long it has been read in all, milliseconds. */
  readonly spentMs: number;
  readonly errors: readonly ImportItemFailure[];
  /**
   * Until when it is ours. Each note moves it on, and holds only where it is still the one that was set last: who was slower
   * than its lease finds another's there.
   */
  readonly leasedUntil: Date;
  readonly createdAt: Date;
};

/** An import, and the lease under which it is held. */
export type Held = Pick<ServerImport, 'id' | 'leasedUntil' | 'userId'>;

type ImportId = Pick<ServerImport, 'id' | 'userId'>;

/**
 * Takes the user's one place for a file that is about to come, until `leasedUntil`; false when it is taken. Fails for nobody:
 * the unique index lets one in.
 */
export async function claimImport(
  db: Db,
  row: ImportId & { readonly secretSealed: Buffer; readonly leasedUntil: Date; readonly now: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('server_imports')
    .values({
      user_id: row.userId,
      id: row.id,
      kind: 'pst',
      secret_sealed: row.secretSealed,
      size_bytes: NOT_THERE,
      has_folder_tags: true,
      leased_until: row.leasedUntil,
      created_at: row.now,
    })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Puts an import that needs no file into the queue; false when the user's one place is taken. */
export async function insertImport(
  db: Db,
  row: ImportId & {
    readonly kind: ImportKind;
    readonly secretSealed: Buffer;
    readonly hasFolderTags: boolean;
    readonly now: Date;
  },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('server_imports')
    .values({
      user_id: row.userId,
      id: row.id,
      kind: row.kind,
      secret_sealed: row.secretSealed,
      size_bytes: 0,
      has_folder_tags: row.hasFolderTags,
      created_at: row.now,
    })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

const waitingUpload = ({ userId, id }: ImportId) =>
  sql<SqlBool>`user_id = ${userId}::uuid and id = ${id}::uuid and status = 'queued'
    and size_bytes = ${NOT_THERE}::bigint`;

/** Notes that a file still comes; false when nobody waits for it any more. */
export const noteUpload = async (db: Db, upload: ImportId, leasedUntil: Date): Promise<boolean> =>
  (
    await db
      .updateTable('server_imports')
      .set({ leased_until: leasedUntil })
      .where(waitingUpload(upload))
      .executeTakeFirst()
  ).numUpdatedRows > 0n;

/** Puts a file that is there into the queue; false when nobody waits for it any more. */
export const queueImport = async (
  db: Db,
  upload: ImportId,
  file: { readonly sizeBytes: number; readonly secretSealed: Buffer; readonly hasFolderTags: boolean },
): Promise<boolean> =>
  (
    await db
      .updateTable('server_imports')
      .set({
        size_bytes: file.sizeBytes,
        secret_sealed: file.secretSealed,
        has_folder_tags: file.hasFolderTags,
        leased_until: null,
      })
      .where(waitingUpload(upload))
      .executeTakeFirst()
  ).numUpdatedRows > 0n;

/** Gives a place back whose file does not come. */
export async function releaseImport(db: Db, upload: ImportId): Promise<void> {
  await db.deleteFrom('server_imports').where(waitingUpload(upload)).execute();
}

/** Gives places back whose files stopped coming, of one user or of all; the ids of those. */
export async function releaseLapsed(db: Db, now: Date, userId?: string): Promise<string[]> {
  let lapsed = db
    .deleteFrom('server_imports')
    .where('status', '=', 'queued')
    .where('size_bytes', '=', NOT_THERE)
    .where('leased_until', '<', now);
  if (userId !== undefined) lapsed = lapsed.where('user_id', '=', userId);
  return (await lapsed.returning('id').execute()).map(({ id }) => id);
}

/** How far an import of the user's is; undefined when there is none of that id. */
export const findImport = (db: Db, userId: string, id: string) =>
  db
    .selectFrom('server_imports')
    .select(['kind', 'status', 'total', 'processed', 'imported', 'skipped', 'failed', 'errors', 'failure'])
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();

/**
 * Takes the import whose last turn, or coming, is longest ago, of those that nobody is at; undefined when there is none. It is
 * found first and then locked by its user, and the next one when another worker was faster.
 */
export async function leaseImport(
  db: Db,
  kind: ImportKind,
  now: Date,
  leaseMs: number,
): Promise<ServerImport | undefined> {
  const leasedUntil = new Date(now.getTime() + leaseMs);
  const isFree = sql<SqlBool>`kind = ${kind} and status in ('queued', 'running')
    and size_bytes <> ${NOT_THERE}::bigint and (leased_until is null or leased_until <= ${now})`;
  const passed: string[] = [];
  for (;;) {
    const next = await db
      .selectFrom('server_imports')
      .select(['user_id', 'id'])
      .where(isFree)
      .where(sql<SqlBool>`id <> all(${passed}::uuid[])`)
      .orderBy(sql`coalesce(leased_until, created_at)`)
      .orderBy('created_at')
      .limit(1)
      .executeTakeFirst();
    if (next === undefined) return undefined;
    const { rows } = await sql<Omit<ServerImport, 'leasedUntil'>>`
      update server_imports set status = 'running', leased_until = ${leasedUntil}
      where (user_id, id) = (
        select user_id, id from server_imports
        where user_id = ${next.user_id}::uuid and id = ${next.id}::uuid and ${isFree} for update skip locked
      ) and user_id = ${next.user_id}::uuid
      returning user_id as "userId", id, secret_sealed as "secretSealed", size_bytes::float8 as "sizeBytes",
        has_folder_tags as "hasFolderTags", last_key as "lastKey", processed, deaths, spent_ms as "spentMs", errors, created_at as "createdAt"`.execute(
      db,
    );
    const [taken] = rows;
    if (taken !== undefined) return { ...taken, leasedUntil };
    passed.push(next.id);
  }
}

/** Whether there is an import of this kind that nobody is at. */
export const isAnyWaiting = async (db: Db, kind: ImportKind, now: Date): Promise<boolean> =>
  (await db
    .selectFrom('server_imports')
    .select('id')
    .where('kind', '=', kind)
    .where('status', 'in', [...WAITING])
    .where('size_bytes', '<>', NOT_THERE)
    .where(row => row.or([row('leased_until', 'is', null), row('leased_until', '<=', now)]))
    .limit(1)
    .executeTakeFirst()) !== undefined;

export type Step = {
  readonly lastKey: string;
  readonly outcome: 'imported' | 'skipped' | 'failed';
  readonly failure?: ImportItemFailure;
  /** Interruptions that still count. */
  readonly deaths?: number;
  readonly leasedUntil: Date;
  readonly spentMs: number;
};

/** Notes that one more thing was dealt with; false when the import does not run any more, or is another's. */
export async function noteStep(trx: Db | Trx, held: Held, step: Step): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('server_imports')
    .set(row => ({
      last_key: step.lastKey,
      processed: row('processed', '+', 1),
      imported: row('imported', '+', step.outcome === 'imported' ? 1 : 0),
      skipped: row('skipped', '+', step.outcome === 'skipped' ? 1 : 0),
      failed: row('failed', '+', step.outcome === 'failed' ? 1 : 0),
      leased_until: step.leasedUntil,
      spent_ms: step.spentMs,
      ...(step.deaths === undefined ? {} : { deaths: step.deaths }),
      ...(step.failure === undefined
        ? {}
        : { errors: sql<string>`errors || ${JSON.stringify([step.failure])}::jsonb` }),
    }))
    .where('user_id', '=', held.userId)
    .where('id', '=', held.id)
    .where('status', '=', 'running')
    .where('leased_until', '=', held.leasedUntil)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Notes how many things there are, and that somebody is still at it; false when the import does not run any more, or is another's. */
export async function noteRunning(
  db: Db,
  held: Held,
  change: {
    readonly total?: number;
    readonly deaths?: number;
    readonly secretSealed?: Buffer;
    readonly leasedUntil: Date;
    readonly spentMs: number;
  },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('server_imports')
    .set({
      leased_until: change.leasedUntil,
      spent_ms: change.spentMs,
      ...(change.total === undefined ? {} : { total: change.total }),
      ...(change.deaths === undefined ? {} : { deaths: change.deaths }),
      ...(change.secretSealed === undefined ? {} : { secret_sealed: change.secretSealed }),
    })
    .where('user_id', '=', held.userId)
    .where('id', '=', held.id)
    .where('status', '=', 'running')
    .where('leased_until', '=', held.leasedUntil)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends an import that waits or runs, and takes its secret; where a lease is given only under that. False when there is none. */
export async function endImport(
  db: Db,
  { userId, id, leasedUntil }: ImportId & Partial<Held>,
  end: { readonly status: 'done' | 'failed' | 'cancelled'; readonly failure?: string; readonly now: Date },
): Promise<boolean> {
  const waiting = db.updateTable('server_imports').where('status', 'in', [...WAITING]);
  const ours = leasedUntil === undefined ? waiting : waiting.where('leased_until', '=', leasedUntil);
  const { numUpdatedRows } = await ours
    .set({
      status: end.status,
      failure: end.failure ?? null,
      secret_sealed: null,
      leased_until: null,
      ended_at: end.now,
    })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends imports of a user's that hold what opens a mailbox elsewhere, and takes that. */
export async function endImapImports(trx: Trx, userId: string, failure: string, now: Date): Promise<void> {
  await trx
    .updateTable('server_imports')
    .set({ status: 'failed', failure, secret_sealed: null, leased_until: null, ended_at: now })
    .where('user_id', '=', userId)
    .where('kind', '=', 'imap')
    .where('status', 'in', [...WAITING])
    .execute();
}

/** Ids of the files that are still needed. */
export const findNeededFiles = async (db: Db): Promise<Set<string>> =>
  new Set(
    (
      await db
        .selectFrom('server_imports')
        .select('id')
        .where('kind', '=', 'pst')
        .where('status', 'in', [...WAITING])
        .execute()
    ).map(({ id }) => id),
  );

export const deleteEndedImports = async (db: Db, before: Date): Promise<number> =>
  Number(
    (await db.deleteFrom('server_imports').where('ended_at', '<=', before).executeTakeFirst()).numDeletedRows,
  );
