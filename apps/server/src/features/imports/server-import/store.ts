/**
 * SQL for server-side imports: the queue, progress, and completion, which also deletes the import's
 * secret.
 */
import { type SqlBool, sql } from 'kysely';
import { changeHeld, claimNext, hasKey, hasNoLease, userQueue } from '../../../db/claim.ts';
import type { ImportItemFailure, ImportKind } from '../../../db/import-tables.ts';
import type { Db, Trx } from '../../../db/pool.ts';

/** Size of a file that has not been uploaded yet. Its import is not eligible for processing. */
const NOT_THERE = -1;

const WAITING = ['queued', 'running'] as const;

export type ServerImport = {
  readonly userId: string;
  readonly id: string;
  /** Key of a file, or the credentials for a mailbox at another provider; sealed by the server. */
  readonly secretSealed: Buffer | null;
  readonly sizeBytes: number;
  readonly hasFolderTags: boolean;
  readonly lastKey: string | null;
  readonly processed: number;
  readonly deaths: number;
  /** Total reading time, in milliseconds. */
  readonly spentMs: number;
  readonly errors: readonly ImportItemFailure[];
  /**
   * End of our lease. Each progress update extends it, and succeeds only if the stored value is the
   * one set last: a worker that outlived its lease finds another worker's lease there.
   */
  readonly leasedUntil: Date;
  readonly createdAt: Date;
};

/** An import and the lease under which it is held. */
export type Held = Pick<ServerImport, 'id' | 'leasedUntil' | 'userId'>;

type ImportId = Pick<ServerImport, 'id' | 'userId'>;

/**
 * Reserves the user's only import slot for an upload until `leasedUntil`. Returns false when the
 * slot is taken. Concurrent requests don't fail: the unique index lets exactly one through.
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

/** Queues an import that needs no file. Returns false when the user's only import slot is taken. */
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

/**
 * Records that an upload is still in progress. Returns false when no import is waiting for it any
 * more.
 */
export const noteUpload = async (db: Db, upload: ImportId, leasedUntil: Date): Promise<boolean> =>
  (
    await db
      .updateTable('server_imports')
      .set({ leased_until: leasedUntil })
      .where(waitingUpload(upload))
      .executeTakeFirst()
  ).numUpdatedRows > 0n;

/**
 * Queues an import whose file is complete. Returns false when no import is waiting for the file any
 * more.
 */
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

/** Releases the slot of an upload that will not complete. */
export async function releaseImport(db: Db, upload: ImportId): Promise<void> {
  await db.deleteFrom('server_imports').where(waitingUpload(upload)).execute();
}

/** Releases the slots of stalled uploads, of one user or of all users. Returns their ids. */
export async function releaseLapsed(db: Db, now: Date, userId?: string): Promise<string[]> {
  let lapsed = db
    .deleteFrom('server_imports')
    .where('status', '=', 'queued')
    .where('size_bytes', '=', NOT_THERE)
    .where('leased_until', '<', now);
  if (userId !== undefined) lapsed = lapsed.where('user_id', '=', userId);
  return (await lapsed.returning('id').execute()).map(({ id }) => id);
}

/**
 * Returns the progress of a user's import, or undefined when the user has no import with this id.
 */
export const findImport = (db: Db, userId: string, id: string) =>
  db
    .selectFrom('server_imports')
    .select(['kind', 'status', 'total', 'processed', 'imported', 'skipped', 'failed', 'errors', 'failure'])
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();

const importQueue = userQueue('server_imports', ['user_id', 'id']);

const isFree = (kind: ImportKind, now: Date) =>
  sql<SqlBool>`kind = ${kind} and status in ('queued', 'running')
    and size_bytes <> ${NOT_THERE}::bigint and ${hasNoLease(now)}`;

/**
 * Leases the free import that has waited longest since its last lease or its creation. Returns
 * undefined when there is none.
 */
export async function leaseImport(
  db: Db,
  kind: ImportKind,
  now: Date,
  leaseMs: number,
): Promise<ServerImport | undefined> {
  const leasedUntil = new Date(now.getTime() + leaseMs);
  const row = await claimNext(db, importQueue, {
    find: (passed, limit) =>
      db
        .selectFrom('server_imports')
        .select(['user_id', 'id'])
        .where(isFree(kind, now))
        .where(sql<SqlBool>`id <> all(${passed.map(({ id }) => id)}::uuid[])`)
        .orderBy(sql`coalesce(leased_until, created_at)`)
        .orderBy('created_at')
        .limit(limit)
        .execute(),
    where: isFree(kind, now),
    set: { status: 'running', leased_until: leasedUntil },
  });
  if (row === undefined) return undefined;
  return {
    userId: row.user_id,
    id: row.id,
    secretSealed: row.secret_sealed,
    sizeBytes: row.size_bytes,
    hasFolderTags: row.has_folder_tags,
    lastKey: row.last_key,
    processed: row.processed,
    deaths: row.deaths,
    spentMs: row.spent_ms,
    errors: row.errors,
    leasedUntil,
    createdAt: row.created_at,
  };
}

/** Returns whether an import of this kind is waiting and not leased. */
export const isAnyWaiting = async (db: Db, kind: ImportKind, now: Date): Promise<boolean> =>
  (await db
    .selectFrom('server_imports')
    .select('id')
    .where(isFree(kind, now))
    .limit(1)
    .executeTakeFirst()) !== undefined;

export type Step = {
  readonly lastKey: string;
  readonly outcome: 'imported' | 'skipped' | 'failed';
  readonly failure?: ImportItemFailure;
  /** Number of interruptions that still count. */
  readonly deaths?: number;
  readonly leasedUntil: Date;
  readonly spentMs: number;
};

const heldBy = (held: Held) => ({
  where: sql<SqlBool>`${hasKey(importQueue, { user_id: held.userId, id: held.id })} and status = 'running'`,
  lease: held.leasedUntil,
});

/**
 * Records that one more item was processed. Returns false when the import is no longer running or
 * another worker holds it.
 */
export async function noteStep(trx: Db | Trx, held: Held, step: Step): Promise<boolean> {
  const changed = await changeHeld(trx, importQueue, heldBy(held), {
    last_key: step.lastKey,
    processed: sql`processed + 1`,
    [step.outcome]: sql`${sql.ref(step.outcome)} + 1`,
    leased_until: step.leasedUntil,
    spent_ms: step.spentMs,
    deaths: step.deaths,
    errors: step.failure && sql`errors || ${JSON.stringify([step.failure])}::jsonb`,
  });
  return changed > 0;
}

/**
 * Records the number of items and that the import is still in progress. Returns false when the
 * import is no longer running or another worker holds it.
 */
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
  const changed = await changeHeld(db, importQueue, heldBy(held), {
    leased_until: change.leasedUntil,
    spent_ms: change.spentMs,
    total: change.total,
    deaths: change.deaths,
    secret_sealed: change.secretSealed,
  });
  return changed > 0;
}

/**
 * Ends a queued or running import and deletes its secret. When a lease is given, does so only under
 * that lease. Returns false when there is no such import.
 */
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

/**
 * Ends a user's imports that hold credentials for a mailbox elsewhere, and deletes the credentials.
 */
export async function endImapImports(trx: Trx, userId: string, failure: string, now: Date): Promise<void> {
  await trx
    .updateTable('server_imports')
    .set({ status: 'failed', failure, secret_sealed: null, leased_until: null, ended_at: now })
    .where('user_id', '=', userId)
    .where('kind', '=', 'imap')
    .where('status', 'in', [...WAITING])
    .execute();
}

/** Returns the ids of the files that are still needed. */
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
