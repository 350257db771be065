/**
 * Copies containers into and out of a backup. They never change and have unique ids, so an existing
 * one is the right one. In a backup they have the layout of the file blob store
 * (adapters/blob-files.ts).
 */
import { createReadStream } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { createFileBlobs } from '../../../adapters/blob-files.ts';
import { blobPath } from '../../../adapters/blob-id.ts';
import type { BlobStore } from '../../../adapters/blobs.ts';
import { type Contents, measure, type Pinned, readEntry } from './contents.ts';
import { forEach } from './for-each.ts';

const FOLDER = 'blobs';
/**
 * Number of containers copied concurrently: a bucket answers slowly, but serves many requests at
 * once.
 */
const AT_ONCE = 4;

/**
 * Ids of all containers that a database refers to: those of messages, of search indexes, and of
 * running imports.
 */
export const NAMED_CONTAINERS = `
  select blob_id from mail_attachments union select blob_id from search_segments
  union select blob_id from import_containers`;

export type CopiedContainers = {
  readonly count: number;
  readonly size_bytes: number;
  readonly missing: string[];
};

/** Copies the containers whose ids are in a file, one per line, into a backup and its list. */
export async function copyContainers(
  blobs: BlobStore,
  idsFile: string,
  dir: string,
  contents: Contents,
): Promise<CopiedContainers> {
  const target = await createFileBlobs(dir);
  const missing: string[] = [];
  let [count, sizeBytes] = [0, 0];
  await forEach(createInterface({ input: createReadStream(idsFile) }), AT_ONCE, async id => {
    if (!(await blobs.has(id))) {
      missing.push(id);
      return;
    }
    const { pieces, total } = measure(await blobs.get(id));
    await target.put(id, pieces);
    const entry = { path: `${FOLDER}/${blobPath(id)}`, ...total() };
    await contents.list(entry);
    count += 1;
    sizeBytes += entry.sizeBytes;
  });
  // The folder of partially written files exists only while it has content, and now it is empty.
  const incoming = path.join(dir, FOLDER, 'incoming');
  if ((await readdir(incoming)).length === 0) await rm(incoming, { recursive: true });
  return { count, size_bytes: sizeBytes, missing: missing.sort() };
}

/**
 * Copies the containers of a verified backup into a store that lacks them. Returns how many were
 * copied.
 */
export async function putContainersBack({ dir, entries }: Pinned, blobs: BlobStore): Promise<number> {
  let put = 0;
  await forEach(entries(), AT_ONCE, async entry => {
    if (!entry.path.startsWith(`${FOLDER}/`)) return;
    const id = path.posix.basename(entry.path);
    if (await blobs.has(id)) return;
    await blobs.put(id, readEntry(dir, entry));
    put += 1;
  });
  return put;
}
