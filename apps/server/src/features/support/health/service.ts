/**
 * Whether what the service stands on can be reached, and how the failure of one of its parts is told from a failure of
 * ours. Used by the HTTP room; it decides nothing.
 */
import { BlobStoreFull, BlobStoreUnavailable } from '../../../adapters/blobs.ts';
import type { Deps } from '../../../context/deps.ts';
import { isUnreachable } from '../../../db/pool.ts';
import { askDatabase } from './store.ts';

/** What a failed part means for the caller: come back later, or there is no room; null when it is neither. */
export function findOutage(error: unknown): 'unavailable' | 'storage_full' | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as { code?: unknown };
    if (cause instanceof BlobStoreFull || (typeof code === 'string' && FULL.has(code))) return 'storage_full';
    if (cause instanceof BlobStoreUnavailable || isUnreachable(cause)) return 'unavailable';
    if (typeof code === 'string' && BUSY.has(code)) return 'unavailable';
  }
  return null;
}

/** No space, quota or inodes: of the file system, and PostgreSQL's disk_full. */
const FULL = new Set(['ENOSPC', 'EDQUOT', '53100']);
/** PostgreSQL: out of memory, statement timeout, lock timeout, deadlock, serialisation failure. */
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

/** Asks database and blob store at once; what does not answer in two seconds is not there. */
export async function checkReadiness({ db, blobs }: Pick<Deps, 'db' | 'blobs'>): Promise<Readiness> {
  const [database, blobStore] = await Promise.all([inTime(askDatabase(db)), inTime(blobs.check())]);
  return { database, blobs: blobStore };
}
