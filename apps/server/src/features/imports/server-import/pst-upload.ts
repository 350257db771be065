/**
 * Upload of PST files that the server reads for their owners (docs/spec-map.md 7,
 * docs/api-conventions.md, docs/interpretations.md#26). pst-source.ts reads them.
 *
 * [Note: Plaintext of a PST] The file arrives unencrypted, since otherwise only the browser could
 * read it, and is encrypted before it reaches a disk. The import's row contains its key, sealed
 * under the master key and deleted with the file. Each message is in the memory of the reading
 * process, and in that of this process until it is sealed. Folder names become tags only if the
 * owner wants that; subjects and names are stored nowhere.
 */
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import type { api, InputOf } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import {
  PST_FILE_PER_FREE_BYTE,
  PST_UPLOAD_LEASE_MS,
  PST_UPLOAD_NOTED_MS,
} from '../../../base/import-limits.ts';
import type { RequestContext } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import { getFreeBytes } from '../../accounts/users/index.ts';
import { encryptPst, PST_KEY_BYTES } from './pst-file.ts';
import { dropLapsedUploads, dropPstFile } from './pst-leftovers.ts';
import { sealPstSecret } from './pst-secret.ts';
import { claimImport, noteUpload, queueImport, releaseImport } from './store.ts';

type Options = InputOf<typeof api.server_imports.start_pst>['import_options'];

/** Parses the options. Throws malformed. */
function readOptions(text: Options): { hasFolderTags: boolean } {
  if (text === undefined) return { hasFolderTags: true };
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (cause) {
    throw new AppError('malformed', {
      cause,
      problems: [{ path: 'import_options', message: 'Not valid JSON' }],
    });
  }
  const options = typeof given === 'object' && given !== null ? given : {};
  return { hasFolderTags: !('folders_as_tags' in options) || options.folders_as_tags !== false };
}

type Upload = { readonly userId: string; readonly id: string };

const leaseOf = (deps: Deps): Date => new Date(deps.clock.now().getTime() + PST_UPLOAD_LEASE_MS);

/**
 * Yields the bytes of a file, limited to the free storage of its owner and of the store, and only
 * while its upload slot is held.
 */
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

/** Claims the user's only upload slot. Throws quota_exceeded, storage_full, already_in_progress. */
async function claimPlace(deps: Deps, upload: Upload, key: Uint8Array): Promise<{ maxBytes: number }> {
  const freeBytes = await getFreeBytes(deps.db, upload.userId);
  if (freeBytes <= 0) throw new AppError('quota_exceeded');
  await deps.importFiles.requireRoom();
  // Releases slots of stalled uploads.
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

/** Stores the file of a claimed slot and queues the import. */
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
 * Accepts a file and returns the import's id. All checks run before its first byte is accepted; the
 * options may come before or after the file. Throws malformed, already_in_progress while another
 * file of the user is being uploaded or read, quota_exceeded, storage_full, too_large, unavailable;
 * nothing remains in these cases.
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
