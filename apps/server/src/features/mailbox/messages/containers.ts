/**
 * Stores sealed containers and takes them away again: the row first, the bytes, then the size, so that a crash at any
 * moment leaves something that the collection of orphans finds (jobs.ts). What is in a container is not looked at here.
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
 * Stores a container that no mail refers to yet; the caller lets a mail do so within a day. Rejects, and leaves nothing
 * but what is collected later, when the content ends in an error.
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

/** Takes away a container unless a mail refers to it. Never rejects: what stays behind is collected later. */
export async function discardContainer(deps: ContainerDeps, blobId: string): Promise<void> {
  try {
    await collectContainer(deps, blobId);
  } catch (error) {
    deps.logger.warn({ err: error, blobId }, 'container left for the collection of orphans');
  }
}

/**
 * Removes a container's bytes, then its row, unless a mail refers to it, another node is at it or a backup
 * copies containers; says whether it went.
 * The row is locked meanwhile ([Note: References] in container-store.ts).
 */
export const collectContainer = (
  { db, blobs }: Pick<Deps, 'blobs' | 'db'>,
  blobId: string,
): Promise<boolean> =>
  db.transaction().execute(async trx => {
    if (!(await lockUnusedContainer(trx, blobId))) return false;
    // Asked after the lock is held: whoever added a reference before has committed by now and is seen.
    if (await isReferred(trx, blobId)) return false;
    // A backup is copying: the collection of orphans comes back for it.
    if (await areContainersHeld(trx)) return false;
    await blobs.remove(blobId);
    await deleteContainer(trx, blobId);
    return true;
  });

/**
 * Brings a container over from a former blob store. Its row is kept from being collected meanwhile, or the removal could
 * miss the copy. One without a row is a file that a crash left: it is let go.
 */
export const moveContainer = ({ db }: Pick<Deps, 'db'>, move: BlobMove, blobId: string): Promise<void> =>
  db.transaction().execute(async trx => {
    if (await hasContainer(trx, blobId)) await move.bring(blobId);
    else await move.drop(blobId);
  });
