/**
 * Files that no import needs any more: of one that ended, of an upload that broke off, and what a process left that was killed.
 */
import type { Deps } from '../../../context/deps.ts';
import { findNeededFiles, releaseLapsed } from './store.ts';

/** A file that no row names is removed once nobody has written to it for this long. */
const LEFTOVER_MS = 60 * 60 * 1000;

/** Removes the file of an import that has ended. Never rejects: what cannot be removed now goes when leftovers do. */
export async function dropPstFile(
  { importFiles, logger }: Pick<Deps, 'importFiles' | 'logger'>,
  importId: string,
): Promise<void> {
  try {
    await importFiles.remove(importId);
  } catch (error) {
    logger.warn({ err: error, importId }, 'a file of an import could not be removed yet');
  }
}

/** Gives the places of uploads back that stopped without a word, of one user or of all, and removes their files. */
export async function dropLapsedUploads(
  deps: Pick<Deps, 'clock' | 'db' | 'importFiles' | 'logger'>,
  userId?: string,
): Promise<void> {
  for (const id of await releaseLapsed(deps.db, deps.clock.now(), userId)) await dropPstFile(deps, id);
}

/** Removes files that no import needs; how many. */
export async function removeLeftovers(deps: Pick<Deps, 'db' | 'importFiles' | 'logger'>): Promise<number> {
  const { db, importFiles } = deps;
  // In this order: the row of a file is there before the file is.
  const lying = await importFiles.listQuiet(LEFTOVER_MS);
  const needed = await findNeededFiles(db);
  const leftover = lying.filter(id => !needed.has(id));
  for (const id of leftover) await dropPstFile(deps, id);
  return leftover.length;
}
