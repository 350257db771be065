/**
 * Checks whether the service's dependencies are reachable, and distinguishes a dependency's failure
 * from one of our own. Used by the HTTP layer; makes no decisions.
 */
import { BlobStoreFull, BlobStoreUnavailable } from '../../../adapters/blobs.ts';
import type { Deps } from '../../../context/deps.ts';
import { askDatabase, isUnreachable } from '../../../db/pool.ts';

/**
 * Returns what a dependency's failure means for the caller: retry later, or storage is full; null
 * when it is neither.
 */
export function findOutage(error: unknown): 'unavailable' | 'storage_full' | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as { code?: unknown };
    if (cause instanceof BlobStoreFull || (typeof code === 'string' && FULL.has(code))) return 'storage_full';
    if (cause instanceof BlobStoreUnavailable || isUnreachable(cause)) return 'unavailable';
    if (typeof code === 'string' && BUSY.has(code)) return 'unavailable';
  }
  return null;
}

/** Out of space, quota or inodes: file system errors, and PostgreSQL's disk_full. */
const FULL = new Set(['ENOSPC', 'EDQUOT', '53100']);
/** PostgreSQL: out of memory, statement timeout, lock timeout, deadlock, serialization failure. */
const BUSY = new Set(['53200', '57014', '55P03', '40P01', '40001']);

const READY_TIMEOUT_MS = 2_000;

async function inTime(work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>(resolve => {
    timer = setTimeout(resolve, READY_TIMEOUT_MS, false);
  });
  try {
    return await Promise.race([
      work.then(
        () => true,
        () => false,
      ),
      late,
    ]);
  } finally {
    clearTimeout(timer);
  }
}

export type Readiness = { readonly database: boolean; readonly blobs: boolean };

/**
 * Checks database and blob store in parallel; one that does not respond within two seconds counts
 * as down.
 */
export async function checkReadiness({ db, blobs }: Pick<Deps, 'db' | 'blobs'>): Promise<Readiness> {
  const [database, blobStore] = await Promise.all([inTime(askDatabase(db)), inTime(blobs.check())]);
  return { database, blobs: blobStore };
}
