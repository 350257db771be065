/**
 * Stores and removes sealed containers: first the row, then the bytes, then the size, so that the
 * orphan collection (jobs.ts) finds whatever a crash leaves behind. Does not look at the contents
 * of a container.
 */
import { randomUUIDv7 } from 'node:crypto';
import type { BlobMove } from '../../../adapters/blobs.ts';
import type { Deps } from '../../../context/deps.ts';
import { areContainersHeld } from './container-holds.ts';
import {
  type Container,
  deleteContainer,
  hasContainer,
  insertContainer,
  isReferred,
  lockUnusedContainer,
  updateContainerSize,
} from './container-store.ts';

type ContainerDeps = Pick<Deps, 'blobs' | 'clock' | 'db' | 'logger'>;

/**
 * Stores a container that no message refers to yet; the caller must add a reference within a day.
 * Rejects when the content ends in an error; anything left behind is collected later.
 */
export async function storeContainer(
  deps: ContainerDeps,
  content: AsyncIterable<Uint8Array>,
): Promise<Container> {
  const blobId = randomUUIDv7();
  await insertContainer(deps.db, blobId, deps.clock.now());
  try {
    const container = { blobId, sizeBytes: await deps.blobs.put(blobId, content) };
    await updateContainerSize(deps.db, container);
    return container;
  } catch (error) {
    await discardContainer(deps, blobId);
    throw error;
  }
}

/**
 * Removes a container unless a message refers to it. Never rejects: what stays behind is collected
 * later.
 */
export async function discardContainer(deps: ContainerDeps, blobId: string): Promise<void> {
  try {
    await collectContainer(deps, blobId);
  } catch (error) {
    deps.logger.warn(
      { err: error, blobId },
      'could not remove a container, leaving it to the cleanup of orphans',
    );
  }
}

/**
 * Removes a container's bytes, then its row, unless a message refers to it, another node is
 * removing it or a backup is copying containers. Returns whether it was removed. The row is locked
 * in the meantime ([Note: References] in container-store.ts).
 */
export const collectContainer = (
  { db, blobs }: Pick<Deps, 'blobs' | 'db'>,
  blobId: string,
): Promise<boolean> =>
  db.transaction().execute(async trx => {
    if (!(await lockUnusedContainer(trx, blobId))) return false;
    // Checked under the lock: any transaction that added a reference before has committed and is
    // visible.
    if (await isReferred(trx, blobId)) return false;
    // A backup is copying containers; the orphan collection removes this one later.
    if (await areContainersHeld(trx)) return false;
    await blobs.remove(blobId);
    await deleteContainer(trx, blobId);
    return true;
  });

/**
 * Moves a container from a former blob store. Its row is locked against collection in the meantime,
 * because the removal could miss the copy. A file without a row was left by a crash and is dropped.
 */
export const moveContainer = ({ db }: Pick<Deps, 'db'>, move: BlobMove, blobId: string): Promise<void> =>
  db.transaction().execute(async trx => {
    if (await hasContainer(trx, blobId)) await move.bring(blobId);
    else await move.drop(blobId);
  });
