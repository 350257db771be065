/**
 * Direct access of the crash test to the product's database and files: counters against a recount,
 * encrypted blobs against their rows, and the outbound queue. Also makes waiting rows due. All
 * other checks use HTTP.
 */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { createFileBlobs } from '../../src/adapters/blob-files.ts';
import { systemClock } from '../../src/adapters/clock.ts';
import { ORPHAN_BLOB_KEPT_MS } from '../../src/base/limits.ts';
import { createLogger } from '../../src/base/logger.ts';
import { embeddedConnection, socketDirOf } from '../../src/db/embedded.ts';
import { createDb, createPool, type Db } from '../../src/db/pool.ts';
import { collectOrphanContainers } from '../../src/features/mailbox/messages/jobs.ts';
import { createTestClock } from '../harness/clock.ts';
import { readCounters } from '../harness/mailbox.ts';

const logger = createLogger('silent');
/** Duration of a queue claim unless renewed (features/outbound/delivery/worker.ts). */
const LEASE_MS = 120_000;
const ID = /^[0-9a-f-]{36}$/;

/** Runs work on the database of a running product. */
export async function onDatabase<T>(dataDir: string, work: (db: Db) => Promise<T>): Promise<T> {
  const socketDir = socketDirOf(path.join(dataDir, 'postgres'));
  const db = createDb(createPool(embeddedConnection(socketDir, 'postgres'), logger, 2));
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

/** Gives users a plan whose limits the test does not reach. */
export const raisePlans = (dataDir: string): Promise<unknown> =>
  onDatabase(dataDir, db => db.updateTable('users').set({ plan: 'pro' }).execute());

/** Throws when counters, used bytes or references differ from a recount. */
export async function checkCounters(dataDir: string): Promise<void> {
  const { kept, recounted } = await onDatabase(dataDir, readCounters);
  for (const name of ['counts', 'used'] as const) {
    const keys = new Set([...Object.keys(kept[name]), ...Object.keys(recounted[name])]);
    for (const key of keys)
      if (kept[name][key] !== recounted[name][key])
        throw new Error(`${name} of ${key}: ${kept[name][key]} kept, ${recounted[name][key]} recounted`);
  }
  if (kept.tagRows.length > 0) throw new Error(`Rows without their mail: ${kept.tagRows.join(' ')}`);
}

/**
 * Ends the claims of a killed process, as happens after two minutes. Later claims are not changed.
 */
export const endOldClaims = (dataDir: string, killedAtMs: number): Promise<unknown> =>
  onDatabase(dataDir, db =>
    db
      .updateTable('outbound_recipients')
      .set({ leased_until: null })
      .where('leased_until', '<=', new Date(killedAtMs + LEASE_MS))
      .execute(),
  );

/** Makes the next attempts due now. Returns how many recipients are queued or held. */
export const hastenQueue = (dataDir: string): Promise<number> =>
  onDatabase(dataDir, async db => {
    await db
      .updateTable('outbound_recipients')
      .set({ next_attempt_at: new Date() })
      .where('leased_until', 'is', null)
      .execute();
    const rows = await db.selectFrom('outbound_recipients').select('id').execute();
    const held = await db.selectFrom('held_recipients').select('id').execute();
    const copies = await db.selectFrom('held_copies').select('mail_id').execute();
    return rows.length + held.length + copies.length;
  });

/** Makes all held sends due now. Returns their number. */
export const hastenHeld = (dataDir: string): Promise<number> =>
  onDatabase(dataDir, async db => {
    const rows = await db
      .updateTable('held_sends')
      .set({ due_at: new Date() })
      .returning('mail_id')
      .execute();
    return rows.length;
  });

/**
 * Removes blobs left over from crashes, as happens a day later. Throws unless files, rows and
 * references then match.
 */
export const checkContainers = (
  dataDir: string,
): Promise<{ readonly kept: number; readonly collected: number }> =>
  onDatabase(dataDir, async db => {
    const clock = createTestClock(new Date(systemClock.now().getTime() + ORPHAN_BLOB_KEPT_MS + 60_000));
    const blobs = await createFileBlobs(dataDir);
    const collected = await collectOrphanContainers({ blobs, clock, db, logger });
    const rows = await db.selectFrom('blobs').select('id').execute();
    const references = await db.selectFrom('mail_attachments').select('blob_id as id').distinct().execute();
    const entries = await readdir(path.join(dataDir, 'blobs'), { recursive: true });
    const files = entries.map(entry => path.basename(entry)).filter(name => ID.test(name));
    const sorted = (ids: readonly string[]): string => [...ids].sort().join(' ');
    const inRows = sorted(rows.map(({ id }) => id));
    if (inRows !== sorted(files) || inRows !== sorted(references.map(({ id }) => id)))
      throw new Error(
        `There are ${rows.length} rows, ${files.length} files and ${references.length} references of containers`,
      );
    return { kept: rows.length, collected };
  });
