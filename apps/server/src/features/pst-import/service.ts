/**
 * PST files that the server reads for their owners (Spec §7, api.md, readings 26): taken in, told of, ended. Reading them is
 * runner.ts'.
 *
 * [Note: Plaintext of a PST] The file comes in the clear, since only the browser could read it otherwise, and is encrypted
 * before it touches the disk. Its key stands in the import's row, sealed under the master key, and goes with the file. Each
 * mail is in the memory of the reading process, and of this one until it is sealed; names of folders become tags only when
 * the owner wants it, and subjects and names are nowhere.
 */
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import type { api, InputOf, OutputOf } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { isUuid } from '../../db/uuid.ts';
import type { Deps } from '../../deps.ts';
import type { RequestContext } from '../../http/context.ts';
import { PST_FILE_PER_FREE_BYTE } from '../../limits.ts';
import { getFreeBytes } from '../accounts/service.ts';
import { PST_KEY_BYTES, removePstFile, writePstFile } from './pst-file.ts';
import { endImport, findImport, hasWaitingImport, insertImport } from './store.ts';

export { createPstRunner } from './runner.ts';

type Status = OutputOf<typeof api.pst_imports.status>['data'];
type Options = InputOf<typeof api.pst_imports.start>['import_options'];

/** What a key of an import's file is sealed for. */
export const PST_KEY_PURPOSE = 'pst-import';

/** Reads the options. Throws malformed. */
const readOptions = (text: Options): { hasFolderTags: boolean } => {
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
};

/** The bytes of a file, no more of them than its owner has room for. */
async function* checkedContent(
  file: NonNullable<RequestContext['file']>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let sizeBytes = 0;
  for await (const chunk of file.content) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) throw new AppError('quota_exceeded');
    yield chunk;
  }
  if (file.isTooLarge()) throw new AppError('too_large');
}

/**
 * Takes a file in; gives the import's id. Throws malformed, already_in_progress while another one of the user's is read,
 * quota_exceeded, too_large; nothing stays then.
 */
export const startImport = async (
  deps: Deps,
  userId: string,
  options: Options,
  file: RequestContext['file'],
): Promise<string> => {
  if (file === undefined) throw new AppError('malformed');
  const { hasFolderTags } = readOptions(options);
  const freeBytes = await getFreeBytes(deps.db, userId);
  if (freeBytes <= 0) throw new AppError('quota_exceeded');
  if (await hasWaitingImport(deps.db, userId)) throw new AppError('already_in_progress');
  const id = randomUUIDv7();
  const key = randomBytes(PST_KEY_BYTES);
  const { dataDir } = deps.config;
  const content = checkedContent(file, PST_FILE_PER_FREE_BYTE * freeBytes);
  const sizeBytes = await writePstFile(dataDir, id, key, content);
  try {
    await insertImport(deps.db, {
      userId,
      id,
      keySealed: deps.masterKey.seal(PST_KEY_PURPOSE, id, key),
      sizeBytes,
      hasFolderTags,
      now: deps.clock.now(),
    });
  } catch (error) {
    await removePstFile(dataDir, id);
    // Two files at one time: the index lets one in.
    if (await hasWaitingImport(deps.db, userId)) throw new AppError('already_in_progress', { cause: error });
    throw error;
  } finally {
    key.fill(0);
  }
  return id;
};

/** How far an import of the user's is. Throws not_found. */
export const getImport = async (deps: Deps, userId: string, id: string): Promise<Status> => {
  const row = isUuid(id) ? await findImport(deps.db, userId, id) : undefined;
  if (row === undefined) throw new AppError('not_found');
  return { ...row, failure: row.failure as Status['failure'] };
};

/** Ends an import of the user's and removes its file; one that has ended stays as it is. Throws not_found. */
export const cancelImport = async (deps: Deps, userId: string, id: string): Promise<void> => {
  await getImport(deps, userId, id);
  const isEnded = await endImport(deps.db, { userId, id }, { status: 'cancelled', now: deps.clock.now() });
  if (isEnded) await removePstFile(deps.config.dataDir, id);
};
