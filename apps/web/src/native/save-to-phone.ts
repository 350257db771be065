// Saves a file on the phone, whose web view does nothing with a download. On Android it goes into a folder of its own in the
// phone's documents, which needs no permission since Android 11. On iOS, and where that folder is shut, the system's sheet asks
// where it is to go; for as long the file lies in the program's cache, and no longer than the session, or until the next start.
import type { Directory } from '@capacitor/filesystem';
import { files, platform, share } from './plugins.ts';

/** Where a file went: into the phone's documents, where the person said, or nowhere since they thought better of it. */
export type SavedTo = 'documents' | 'chosen' | 'nowhere';

/** A folder of the phone, by the plugin's names. */
type Place = { readonly directory: Directory; readonly folder: string };

const documents: Place = { directory: 'DOCUMENTS' as Directory, folder: 'Keyfold' };
/** The folder that the shell's project lets other programs read from (file_paths.xml). */
const handedOver: Place = { directory: 'CACHE' as Directory, folder: 'handed-over' };

/** Bytes that cross the bridge at a time: as text they fill a third more, and the page and the phone hold both. */
const PIECE_BYTES = 768 * 1024;
/** Names that are tried for a file before it is saved over nothing. */
const NAMES_MAX = 1_000;

/** Characters that are made at a time: more would be too many arguments. */
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

/** The name with a number before its ending: `a (1).pdf`. */
function numbered(name: string, count: number): string {
  if (count === 0) return name;
  const dot = name.lastIndexOf('.');
  const end = dot > 0 ? dot : name.length;
  return `${name.slice(0, end)} (${count})${name.slice(end)}`;
}

/** A path in the place that no file has. */
async function freePath({ directory, folder }: Place, name: string): Promise<string> {
  for (let count = 0; count < NAMES_MAX; count++) {
    const path = `${folder}/${numbered(name, count)}`;
    if (!(await isThere(directory, path))) return path;
  }
  throw new Error('Too many files of this name');
}

/** Writes the content piece by piece; what was begun goes when the rest cannot be written. Resolves with its address. */
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

/** Removes what was handed over earlier: its reader has it by now. */
const clearHandedOver = (): Promise<void> =>
  files
    .rmdir({ directory: handedOver.directory, path: handedOver.folder, recursive: true })
    .catch(() => undefined);

/** Asks the person where it is to go. */
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
  // Android says so when the other program is chosen, which reads the file later; iOS when all is done.
  if (platform() === 'ios') await clearHandedOver();
  return 'chosen';
}

let last: Promise<unknown> = Promise.resolve();

/** Removes what was handed to other programs, once nothing is being saved: a half of a file is not begun anew. */
export function forgetHandedOver(): Promise<void> {
  const gone = last.then(clearHandedOver);
  last = gone;
  return gone;
}

/** Saves a file under a plain name, one after the other. Rejects when there is no room, or nowhere to put it. */
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
