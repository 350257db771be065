// Reads files shared by another app, through the native shell. On Android they are read from the
// owning app without a copy. iOS puts an unencrypted copy of each into Documents/Inbox and leaves
// it there: each copy is deleted once it has been read, and everything else in that folder is
// deleted when the session ends and at the next start.
import type { Directory } from '@capacitor/filesystem';
import { fileAddress, files, platform } from './plugins.ts';

/** The folder in which iOS places copies of shared files. */
const given = { directory: 'DOCUMENTS' as Directory, folder: 'Inbox' } as const;

function lastPart(uri: string): string | null {
  try {
    return decodeURIComponent(uri.split(/[?#]/)[0]?.split('/').pop() ?? '');
  } catch {
    return null;
  }
}

/** Returns the last part of a URI as a display name, without path prefixes. */
function nameOf(uri: string, index: number): string {
  const name =
    lastPart(uri)
      ?.split(/[/:\\]/)
      .pop() ?? '';
  return name === '' ? `file-${index + 1}` : name;
}

const remove = (name: string): Promise<void> =>
  files
    .deleteFile({ directory: given.directory, path: `${given.folder}/${name}` })
    .catch(() =>
      files.rmdir({ directory: given.directory, path: `${given.folder}/${name}`, recursive: true }),
    )
    .catch(() => undefined);

/** Removes the copy that iOS made; a file anywhere else belongs to the user. */
async function removeCopy(uri: string): Promise<void> {
  const name = lastPart(uri);
  if (platform() !== 'ios' || name === null || name === '' || /^\.\.?$|\//.test(name)) return;
  if (/^file:.*\/Documents\/Inbox\/[^/]+$/.test(uri)) await remove(name);
}

async function readFile(uri: string, index: number): Promise<File | null> {
  try {
    const answer = await fetch(fileAddress(uri));
    if (!answer.ok) return null;
    const blob = await answer.blob();
    return new File([blob], nameOf(uri, index), { type: blob.type });
  } catch {
    return null;
  } finally {
    await removeCopy(uri);
  }
}

let last: Promise<unknown> = Promise.resolve();

/** Returns the files at these URIs, without those that cannot be read. */
export function readSharedFiles(uris: readonly string[]): Promise<File[]> {
  const read = Promise.all(uris.map(readFile));
  last = Promise.all([last, read]);
  return read.then(found => found.filter(file => file !== null));
}

/** Removes unread copies that iOS made, once no read is in progress. */
export function forgetSharedCopies(): Promise<void> {
  if (platform() !== 'ios') return Promise.resolve();
  const gone = last.then(async () => {
    const { directory, folder: path } = given;
    const found = await files.readdir({ directory, path }).catch(() => ({ files: [] }));
    await Promise.all(found.files.map(({ name }) => remove(name)));
  });
  last = gone;
  return gone;
}
