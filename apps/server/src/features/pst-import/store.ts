/**
 * Statements of imports that the server does: the queue of files, how far each is, and what the mailbox has already.
 */
import { type SqlBool, sql } from 'kysely';
import type { PstItemFailure } from '../../db/import-tables.ts';
import type { Db, Trx } from '../../db/pool.ts';

/** Size of a file that is not there yet: its import waits for it, and nobody reads it. */
const NOT_THERE = -1;

const WAITING = ['queued', 'running'] as const;

export type PstImport = {
  readonly userId: string;
  readonly id: string;
  readonly keySealed: Buffer | null;
  readonly sizeBytes: number;
  readonly hasFolderTags: boolean;
  readonly lastKey: string | null;
  readonly processed: number;
  readonly deaths: number;
  /** How long it has been read in all, milliseconds. */
  readonly spentMs: number;
  readonly errors: readonly PstItemFailure[];
  /**
   * Until when it is ours. Each note moves it on, and holds only where it is still the one that was set last: who was slower
   * than its lease finds another's there.
   */
  readonly leasedUntil: Date;
};

/** An import, and the lease under which it is held. */
export type Held = Pick<PstImport, 'id' | 'leasedUntil' | 'userId'>;

type ImportId = Pick<PstImport, 'id' | 'userId'>;

/**
 * Takes the user's one place for a file that is about to come, until `leasedUntil`; false when it is taken. Fails for nobody:
 * the unique index lets one in.
 */
export const claimImport = async (
  db: Db,
  row: ImportId & { readonly keySealed: Buffer; readonly leasedUntil: Date; readonly now: Date },
): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('pst_imports')
    .values({
      user_id: row.userId,
      id: row.id,
      key_sealed: row.keySealed,
      size_bytes: NOT_THERE,
      has_folder_tags: true,
      leased_until: row.leasedUntil,
      created_at: row.now,
    })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
};

const waitingUpload = ({ userId, id }: ImportId) =>
  sql<SqlBool>`user_id = ${userId}::uuid and id = ${id}::uuid and status = 'queued'
    and size_bytes = ${NOT_THERE}::bigint`;

/** Notes that a file still comes; false when nobody waits for it any more. */
export const noteUpload = async (db: Db, upload: ImportId, leasedUntil: Date): Promise<boolean> =>
  (
    await db
      .updateTable('pst_imports')
      .set({ leased_until: leasedUntil })
      .where(waitingUpload(upload))
      .executeTakeFirst()
  ).numUpdatedRows > 0n;

/** Puts a file that is there into the queue; false when nobody waits for it any more. */
export const queueImport = async (
  db: Db,
  upload: ImportId,
  file: { readonly sizeBytes: number; readonly hasFolderTags: boolean },
): Promise<boolean> =>
  (
    await db
      .updateTable('pst_imports')
      .set({ size_bytes: file.sizeBytes, has_folder_tags: file.hasFolderTags, leased_until: null })
      .where(waitingUpload(upload))
      .executeTakeFirst()
  ).numUpdatedRows > 0n;

/** Gives a place back whose file does not come. */
export const releaseImport = async (db: Db, upload: ImportId): Promise<void> => {
  await db.deleteFrom('pst_imports').where(waitingUpload(upload)).execute();
};

/** Gives places back whose files stopped coming, of one user or of all; the ids of those. */
export const releaseLapsed = async (db: Db, now: Date, userId?: string): Promise<string[]> => {
  let lapsed = db
    .deleteFrom('pst_imports')
    .where('status', '=', 'queued')
    .where('size_bytes', '=', NOT_THERE)
    .where('leased_until', '<', now);
  if (userId !== undefined) lapsed = lapsed.where('user_id', '=', userId);
  return (await lapsed.returning('id').execute()).map(({ id }) => id);
};

/** How far an import of the user's is; undefined when there is none of that id. */
export const findImport = (db: Db, userId: string, id: string) =>
  db
    .selectFrom('pst_imports')
    .select(['status', 'total', 'processed', 'imported', 'skipped', 'failed', 'errors', 'failure'])
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();

/** Takes the file whose last turn, or coming, is longest ago, of those that nobody is at; undefined when there is none. */
export const leaseImport = async (db: Db, now: Date, leaseMs: number): Promise<PstImport | undefined> => {
  const leasedUntil = new Date(now.getTime() + leaseMs);
  const { rows } = await sql<Omit<PstImport, 'leasedUntil'>>`
    update pst_imports set status = 'running', leased_until = ${leasedUntil}
    where (user_id, id) = (
      select user_id, id from pst_imports
      where status in ('queued', 'running') and size_bytes <> ${NOT_THERE}::bigint and (leased_until is null or leased_until <= ${now})
      order by coalesce(leased_until, created_at), created_at limit 1 for update skip locked
    )
    returning user_id as "userId", id, key_sealed as "keySealed", size_bytes::float8 as "sizeBytes",
      has_folder_tags as "hasFolderTags", last_key as "lastKey", processed, deaths, spent_ms as "spentMs", errors`.execute(
    db,
  );
  return rows[0] && { ...rows[0], leasedUntil };
};

/** Whether there is a file that nobody is at. */
export const isAnyWaiting = async (db: Db, now: Date): Promise<boolean> =>
  (await db
    .selectFrom('pst_imports')
    .select('id')
    .where('status', 'in', [...WAITING])
    .where('size_bytes', '<>', NOT_THERE)
    .where(row => row.or([row('leased_until', 'is', null), row('leased_until', '<=', now)]))
    .limit(1)
    .executeTakeFirst()) !== undefined;

export type Step = {
  readonly lastKey: string;
  readonly outcome: 'imported' | 'skipped' | 'failed';
  readonly failure?: PstItemFailure;
  readonly leasedUntil: Date;
  readonly spentMs: number;
};

/** Notes that one more thing was dealt with; false when the import does not run any more, or is another's. */
export const noteStep = async (trx: Db | Trx, held: Held, step: Step): Promise<boolean> => {
  const { numUpdatedRows } = await trx
    .updateTable('pst_imports')
    .set(row => ({
      last_key: step.lastKey,
      processed: row('processed', '+', 1),
      imported: row('imported', '+', step.outcome === 'imported' ? 1 : 0),
      skipped: row('skipped', '+', step.outcome === 'skipped' ? 1 : 0),
      failed: row('failed', '+', step.outcome === 'failed' ? 1 : 0),
      leased_until: step.leasedUntil,
      spent_ms: step.spentMs,
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
};

/** Notes how many things the file has, and that somebody is still at it; false when the import does not run any more, or is another's. */
export const noteRunning = async (
  db: Db,
  held: Held,
  change: {
    readonly total?: number;
    readonly deaths?: number;
    readonly leasedUntil: Date;
    readonly spentMs: number;
  },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('pst_imports')
    .set({
      leased_until: change.leasedUntil,
      spent_ms: change.spentMs,
      ...(change.total === undefined ? {} : { total: change.total }),
      ...(change.deaths === undefined ? {} : { deaths: change.deaths }),
    })
    .where('user_id', '=', held.userId)
    .where('id', '=', held.id)
    .where('status', '=', 'running')
    .where('leased_until', '=', held.leasedUntil)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Ends an import that waits or runs, where a lease is given only under that; false when there is none. */
export const endImport = async (
  db: Db,
  { userId, id, leasedUntil }: ImportId & Partial<Held>,
  end: { readonly status: 'done' | 'failed' | 'cancelled'; readonly failure?: string; readonly now: Date },
): Promise<boolean> => {
  const waiting = db.updateTable('pst_imports').where('status', 'in', [...WAITING]);
  const ours = leasedUntil === undefined ? waiting : waiting.where('leased_until', '=', leasedUntil);
  const { numUpdatedRows } = await ours
    .set({
      status: end.status,
      failure: end.failure ?? null,
      key_sealed: null,
      leased_until: null,
      ended_at: end.now,
    })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Ids of the files that are still needed. */
export const findNeededFiles = async (db: Db): Promise<Set<string>> =>
  new Set(
    (
      await db
        .selectFrom('pst_imports')
        .select('id')
        .where('status', 'in', [...WAITING])
        .execute()
    ).map(({ id }) => id),
  );

export const deleteEndedImports = async (db: Db, before: Date): Promise<number> =>
  Number(
    (await db.deleteFrom('pst_imports').where('ended_at', '<=', before).executeTakeFirst()).numDeletedRows,
  );
