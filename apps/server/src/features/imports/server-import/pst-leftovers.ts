/**
 * Cleanup of files that no import needs: those of ended imports, aborted uploads and crashed
 * processes.
 */
import type { Deps } from '../../../context/deps.ts';
import { findNeededFiles, releaseLapsed } from './store.ts';

/**
 * A file without a row is deleted once it has not been written to for this long, in milliseconds.
 */
const LEFTOVER_MS = 60 * 60 * 1000;

/**
 * Deletes the file of an ended import. Never rejects: the cleanup of leftovers retries a failed
 * deletion.
 */
export async function dropPstFile(
  { importFiles, logger }: Pick<Deps, 'importFiles' | 'logger'>,
  importId: string,
): Promise<void> {
  try {
    await importFiles.remove(importId);
  } catch (error) {
    logger.warn({ err: error, importId }, 'could not remove an import file, will retry');
  }
}

/** Releases the upload slots of stalled uploads, of one user or of all, and deletes their files. */
export async function dropLapsedUploads(
  deps: Pick<Deps, 'clock' | 'db' | 'importFiles' | 'logger'>,
  userId?: string,
): Promise<void> {
  for (const id of await releaseLapsed(deps.db, deps.clock.now(), userId)) await dropPstFile(deps, id);
}

/** Deletes files that no import needs; returns their number. */
export async function removeLeftovers(deps: Pick<Deps, 'db' | 'importFiles' | 'logger'>): Promise<number> {
  const { db, importFiles } = deps;
  // Lists files before rows: a file's row exists before the file does, so no needed file is missed.
  const lying = await importFiles.listQuiet(LEFTOVER_MS);
  const needed = await findNeededFiles(db);
  const leftover = lying.filter(id => !needed.has(id));
  for (const id of leftover) await dropPstFile(deps, id);
  return leftover.length;
}
