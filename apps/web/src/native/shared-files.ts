// Files that another program shares: fetched through the shell. On Android they are read from their owner, without a copy on the
// way. iOS lays a copy of each into Documents/Inbox, in the clear, and leaves it there: it goes as soon as it was read, and whatever
// else lies there with the session and the next start.
import type { Directory } from '@capacitor/filesystem';
import { fileAddress, files, platform } from './plugins.ts';

/** The folder of iOS for copies of what is shared. */
const given = { directory: 'DOCUMENTS' as Directory, folder: 'Inbox' } as const;

function lastPart(uri: string): string | null {
  try {
    return decodeURIComponent(uri.split(/[?#]/)[0]?.split('/').pop() ?? '');
  } catch {
    return null;
  }
}

/** The last part of an address, as a name for people; what is no name is left out. */
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

/** Removes the copy that iOS made; a file that lies anywhere else is somebody's own. */
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

/** The files behind these addresses; those that cannot be read are left out. */
export function readSharedFiles(uris: readonly string[]): Promise<File[]> {
  const read = Promise.all(uris.map(readFile));
  last = Promise.all([last, read]);
  return read.then(found => found.filter(file => file !== null));
}

/** Removes the copies that iOS made and nobody read, once none is being read. */
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
