/**
 * PST files that the server reads for their owners (docs/spec-map.md 7, docs/api-conventions.md, docs/interpretations.md#26),
 * taken in. Reading them is pst-source.ts'.
 *
 * [Note: Plaintext of a PST] The file comes in the clear, since only the browser could read it otherwise, and is encrypted
 * before it touches a disk. Its key stands in the import's row, sealed under the master key, and goes with the file. Each
 * mail is in the memory of the reading process, and of this one until it is sealed; names of folders become tags only when
 * the owner wants it, and subjects and names are nowhere.
 */
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import type { api, InputOf } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { PST_FILE_PER_FREE_BYTE, PST_UPLOAD_LEASE_MS, PST_UPLOAD_NOTED_MS } from '../../../base/limits.ts';
import type { RequestContext } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import { getFreeBytes } from '../../accounts/users/index.ts';
import { encryptPst, PST_KEY_BYTES } from './pst-file.ts';
import { dropLapsedUploads, dropPstFile } from './pst-leftovers.ts';
import { sealPstSecret } from './pst-secret.ts';
import { claimImport, noteUpload, queueImport, releaseImport } from './store.ts';

type Options = InputOf<typeof api.server_imports.start_pst>['import_options'];

/** Reads the options. Throws malformed. */
function readOptions(text: Options): { hasFolderTags: boolean } {
  if (text === undefined) return { hasFolderTags: true };
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (cause) {
    throw new AppError('malformed', {
      cause,
      problems: [{ path: 'import_options', message: 'Not JSON' }],
    });
  }
  const options = typeof given === 'object' && given !== null ? given : {};
  return { hasFolderTags: !('folders_as_tags' in options) || options.folders_as_tags !== false };
}

type Upload = { readonly userId: string; readonly id: string };

const leaseOf = (deps: Deps): Date => new Date(deps.clock.now().getTime() + PST_UPLOAD_LEASE_MS);

/** The bytes of a file, no more of them than its owner and the store have room for, and only while its place is held. */
async function* checkedContent(
  deps: Deps,
  upload: Upload,
  file: NonNullable<RequestContext['file']>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let sizeBytes = 0;
  let notedAt = performance.now();
  for await (const chunk of file.content) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) throw new AppError('quota_exceeded');
    yield chunk;
    if (performance.now() - notedAt < PST_UPLOAD_NOTED_MS) continue;
    notedAt = performance.now();
    await deps.importFiles.requireRoom();
    if (!(await noteUpload(deps.db, upload, leaseOf(deps)))) throw new AppError('already_in_progress');
  }
  if (file.isTooLarge()) throw new AppError('too_large');
}

/** Takes the one place a user has. Throws quota_exceeded, storage_full, already_in_progress. */
async function claimPlace(deps: Deps, upload: Upload, key: Uint8Array): Promise<{ maxBytes: number }> {
  const freeBytes = await getFreeBytes(deps.db, upload.userId);
  if (freeBytes <= 0) throw new AppError('quota_exceeded');
  await deps.importFiles.requireRoom();
  // What uploads held that stopped without a word.
  await dropLapsedUploads(deps, upload.userId);
  const isOurs = await claimImport(deps.db, {
    ...upload,
    secretSealed: sealPstSecret(deps, upload.id, key),
    leasedUntil: leaseOf(deps),
    now: deps.clock.now(),
  });
  if (!isOurs) throw new AppError('already_in_progress');
  return { maxBytes: PST_FILE_PER_FREE_BYTE * freeBytes };
}

/** Stores the file of a place that was claimed, and puts it into the queue. */
async function storeFile(
  deps: Deps,
  upload: Upload,
  key: Uint8Array,
  file: NonNullable<RequestContext['file']>,
  maxBytes: number,
): Promise<void> {
  try {
    const content = encryptPst(key, checkedContent(deps, upload, file, maxBytes));
    const { sizeBytes, digest } = await deps.importFiles.put(upload.id, content);
    const { hasFolderTags } = readOptions(
      ((await file.readLater()) as { import_options?: Options }).import_options,
    );
    const secretSealed = sealPstSecret(deps, upload.id, key, digest);
    if (!(await queueImport(deps.db, upload, { sizeBytes, secretSealed, hasFolderTags })))
      throw new AppError('already_in_progress');
  } catch (error) {
    await dropPstFile(deps, upload.id);
    await releaseImport(deps.db, upload);
    throw error;
  }
}

/**
 * Takes a file in; gives the import's id. Everything that speaks against it is asked before its first byte is taken; its
 * options may stand before or behind it. Throws malformed, already_in_progress while another one of the user's comes or is
 * read, quota_exceeded, storage_full, too_large, unavailable; nothing stays then.
 */
export async function startPstImport(
  deps: Deps,
  userId: string,
  options: Options,
  file: RequestContext['file'],
): Promise<string> {
  if (file === undefined) throw new AppError('malformed');
  readOptions(options);
  const upload = { userId, id: randomUUIDv7() };
  const key = randomBytes(PST_KEY_BYTES);
  try {
    const { maxBytes } = await claimPlace(deps, upload, key);
    await storeFile(deps, upload, key, file, maxBytes);
  } finally {
    key.fill(0);
  }
  return upload.id;
}
