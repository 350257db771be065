/**
 * Stores the sealed segments of search indexes, so that a second device need not read all mail
 * again. Their content is opaque to the server. It limits their number and bytes, and a merge
 * replaces its inputs atomically.
 *
 * [Note: Room for the index] Segments do not count against the storage shown to users. Each user
 * gets a tenth of that storage plus a small allowance for them, several times the size of the index
 * of a full mailbox.
 */
import { AppError } from '@keyfold/contract/errors';
import { SEARCH_INDEX_BASE_BYTES, SEARCH_INDEX_SHARE, SEARCH_SEGMENTS_MAX } from '../../../base/limits.ts';
import type { RequestContext, SentFile } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { isUuid } from '../../../db/uuid.ts';
import {
  type Container,
  discardContainer,
  lockContainers,
  lockMailboxes,
  storeContainer,
} from '../../mailbox/messages/index.ts';
import { getStorageLimit } from '../users/index.ts';
import { deleteAll, deleteSome, findSegment, insertSegment, readSegments, sumSegments } from './store.ts';

type Segment = {
  readonly id: string;
  readonly size: number;
  readonly head: string;
  readonly created_at: string;
};

export const listSegments = async ({ db }: Deps, userId: string): Promise<Segment[]> =>
  (await readSegments(db, userId)).map(({ blob_id, size_bytes, head, created_at }) => ({
    id: blob_id,
    size: size_bytes,
    head,
    created_at: created_at.toISOString(),
  }));

/**
 * Yields the same content. Throws quota_exceeded at the first byte over the limit, and too_large
 * when the content was truncated.
 */
async function* bounded(
  file: NonNullable<RequestContext['file']>,
  mostBytes: number,
): AsyncGenerator<Uint8Array> {
  let sizeBytes = 0;
  for await (const piece of file.content) {
    sizeBytes += piece.length;
    if (sizeBytes > mostBytes) throw new AppError('quota_exceeded');
    yield piece;
  }
  if (file.isTooLarge()) throw new AppError('too_large');
  if (sizeBytes === 0) throw new AppError('malformed');
}

export type NewSegment = {
  readonly head: string;
  /** Ids of the segments that were merged into this one. Ids that no longer exist are ignored. */
  readonly replaces: readonly string[];
  readonly file: RequestContext['file'];
};

/**
 * Stores a segment and deletes those that it replaces. Throws malformed without a file,
 * quota_exceeded, limit_reached, too_large.
 */
export async function addSegment(
  deps: Deps,
  userId: string,
  { head, replaces, file }: NewSegment,
): Promise<Container> {
  if (file === undefined || head === '' || !replaces.every(isUuid)) throw new AppError('malformed');
  const limitBytes = (await getStorageLimit(deps.db, userId)) * SEARCH_INDEX_SHARE + SEARCH_INDEX_BASE_BYTES;
  // The replaced segments still exist while the merged one is stored, so a merge briefly needs
  // twice the space.
  const container = await storeContainer(deps, bounded(file, limitBytes));
  try {
    const replaced = await deps.db.transaction().execute(async trx => {
      await lockMailboxes(trx, [userId]);
      await lockContainers(trx, [container.blobId]);
      const gone = await deleteSome(trx, userId, replaces);
      const { count, bytes } = await sumSegments(trx, userId);
      if (count >= SEARCH_SEGMENTS_MAX) throw new AppError('limit_reached');
      if (bytes + container.sizeBytes > limitBytes) throw new AppError('quota_exceeded');
      await insertSegment(trx, userId, { ...container, head, createdAt: deps.clock.now() });
      return gone;
    });
    for (const blobId of replaced) await discardContainer(deps, blobId);
    return container;
  } catch (error) {
    await discardContainer(deps, container.blobId);
    throw error;
  }
}

/** Returns the bytes of one of the user's segments. Throws not_found. */
export async function getSegment({ db, blobs }: Deps, userId: string, id: string): Promise<SentFile> {
  const found = isUuid(id) ? await findSegment(db, userId, id) : undefined;
  if (found === undefined) throw new AppError('not_found');
  return { sizeBytes: found.size_bytes, open: range => blobs.get(id, range) };
}

/**
 * Deletes every segment of a user within the caller's transaction. Returns the blobs, which the
 * caller discards after it.
 */
export const forgetSegments = (trx: Trx, userId: string): Promise<string[]> => deleteAll(trx, userId);

/** Deletes every segment of a user. */
export async function removeSegments(deps: Deps, userId: string): Promise<void> {
  for (const blobId of await deleteAll(deps.db, userId)) await discardContainer(deps, blobId);
}
