// Saves a file on the phone, because a phone's web view ignores downloads. On Android the file goes
// into the app's folder in the phone's documents, which needs no permission since Android 11. On
// iOS, and when that folder is not writable, the system's share sheet asks for a destination.
// Meanwhile the file is in the app's cache, until the session ends or the app next starts.
import type { Directory } from '@capacitor/filesystem';
import { files, platform, share } from './plugins.ts';

/**
 * Destination of a file: the phone's documents, a place the user chose, or nowhere because the user
 * canceled.
 */
export type SavedTo = 'documents' | 'chosen' | 'nowhere';

/** A folder on the phone, in the plugin's terms. */
type Place = { readonly directory: Directory; readonly folder: string };

const documents: Place = { directory: 'DOCUMENTS' as Directory, folder: 'Keyfold' };
/** The folder that the native project lets other apps read (file_paths.xml). */
const handedOver: Place = { directory: 'CACHE' as Directory, folder: 'handed-over' };

/**
 * Bytes sent over the bridge at a time. Base64 makes them a third larger, and both the page and the
 * phone hold a copy.
 */
const PIECE_BYTES = 768 * 1024;
/**
 * Maximum number of names tried for a file before saving fails; an existing file is never
 * overwritten.
 */
const NAMES_MAX = 1_000;

/** Bytes converted per call; a larger number would exceed the argument limit. */
const CHARACTERS_AT_ONCE = 8_192;

function encodeBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += CHARACTERS_AT_ONCE)
    text += String.fromCharCode(...bytes.subarray(at, at + CHARACTERS_AT_ONCE));
  return btoa(text);
}

const isThere = (directory: Directory, path: string): Promise<boolean> =>
  files.stat({ directory, path }).then(
    () => true,
    () => false,
  );

/** Returns the name with a number before its extension: `a (1).pdf`. */
function numbered(name: string, count: number): string {
  if (count === 0) return name;
  const dot = name.lastIndexOf('.');
  const end = dot > 0 ? dot : name.length;
  return `${name.slice(0, end)} (${count})${name.slice(end)}`;
}

/** Returns an unused path in the folder. */
async function freePath({ directory, folder }: Place, name: string): Promise<string> {
  for (let count = 0; count < NAMES_MAX; count++) {
    const path = `${folder}/${numbered(name, count)}`;
    if (!(await isThere(directory, path))) return path;
  }
  throw new Error('Too many files of this name');
}

/**
 * Writes the content in pieces and deletes the partial file on failure. Resolves with the file's
 * URI.
 */
async function write(place: Place, name: string, content: Blob): Promise<string> {
  const { directory } = place;
  const path = await freePath(place, name);
  const pieceAt = async (at: number) =>
    encodeBase64(new Uint8Array(await content.slice(at, at + PIECE_BYTES).arrayBuffer()));
  const { uri } = await files.writeFile({ directory, path, data: await pieceAt(0), recursive: true });
  try {
    for (let at = PIECE_BYTES; at < content.size; at += PIECE_BYTES)
      await files.appendFile({ directory, path, data: await pieceAt(at) });
  } catch (error) {
    await files.deleteFile({ directory, path }).catch(() => undefined);
    throw error;
  }
  return uri;
}

/** Removes files handed over earlier; their recipients have read them by now. */
const clearHandedOver = (): Promise<void> =>
  files
    .rmdir({ directory: handedOver.directory, path: handedOver.folder, recursive: true })
    .catch(() => undefined);

/** Asks the user where to save the file. */
async function handOver(content: Blob, name: string): Promise<SavedTo> {
  await clearHandedOver();
  const uri = await write(handedOver, name, content);
  try {
    await share.share({ files: [uri] });
  } catch (error) {
    await clearHandedOver();
    if ((error as Error).message === 'Share canceled') return 'nowhere';
    throw error;
  }
  // Android reports completion when the user picks the other app, which reads the file later; iOS
  // reports it when the transfer is done.
  if (platform() === 'ios') await clearHandedOver();
  return 'chosen';
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Removes the files handed to other apps, after pending saves have finished, so that no partly
 * written file is removed.
 */
export function forgetHandedOver(): Promise<void> {
  const gone = last.then(clearHandedOver);
  last = gone;
  return gone;
}

/**
 * Saves a file under a plain name; saves run one at a time. Rejects when storage is full or no
 * destination is available.
 */
export function saveToPhone(content: Blob, name: string): Promise<SavedTo> {
  const save = async (): Promise<SavedTo> => {
    if (platform() === 'android') {
      const isSaved = await write(documents, name, content).then(
        () => true,
        () => false,
      );
      if (isSaved) return 'documents';
    }
    return handOver(content, name);
  };
  const saved = last.then(save, save);
  last = saved.catch(() => undefined);
  return saved;
}
