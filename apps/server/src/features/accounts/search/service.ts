/**
 * Keeps the sealed segments of search indexes, so that a second device need not read all mail again. What is in one is
 * the client's affair; here their number and bytes are bounded, and a merge replaces what it was made of in one moment.
 *
 * [Note: Room for the index] Segments do not count against the storage that people see. Each user has a tenth of that
 * storage and a little more for them, which is several times what an index of a full mailbox takes.
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

/** The same content, ended by quota_exceeded at the first byte too many, and by too_large when it was cut off. */
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
  /** Ids of segments that this one was merged from; those that are gone already do not matter. */
  readonly replaces: readonly string[];
  readonly file: RequestContext['file'];
};

/** Stores a segment in place of others. Throws malformed without a file, quota_exceeded, limit_reached, too_large. */
export async function addSegment(
  deps: Deps,
  userId: string,
  { head, replaces, file }: NewSegment,
): Promise<Container> {
  if (file === undefined || head === '' || !replaces.every(isUuid)) throw new AppError('malformed');
  const limitBytes = (await getStorageLimit(deps.db, userId)) * SEARCH_INDEX_SHARE + SEARCH_INDEX_BASE_BYTES;
  // While a merge is stored, what it replaces is still there: twice the room, for as long as that takes.
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

/** The bytes of one of the user's segments. Throws not_found. */
export async function getSegment({ db, blobs }: Deps, userId: string, id: string): Promise<SentFile> {
  const found = isUuid(id) ? await findSegment(db, userId, id) : undefined;
  if (found === undefined) throw new AppError('not_found');
  return { sizeBytes: found.size_bytes, open: range => blobs.get(id, range) };
}

/** Forgets every segment of a user, in a transaction of the caller; the containers, to be discarded after it. */
export const forgetSegments = (trx: Trx, userId: string): Promise<string[]> => deleteAll(trx, userId);

/** Forgets every segment of a user. */
export async function removeSegments(deps: Deps, userId: string): Promise<void> {
  for (const blobId of await deleteAll(deps.db, userId)) await discardContainer(deps, blobId);
}
