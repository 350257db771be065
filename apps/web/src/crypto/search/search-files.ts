// Sealed pieces of the search index on this device: files in the origin private file system, under
// names that reveal nothing. Where this file system is unavailable (private windows of some
// browsers, pages without TLS), nothing is stored and the index exists only in memory. A file that
// a killed tab left half-written does not open and is deleted.
import type { SearchBox, SearchPiece } from '@keyfold/crypto/search-index';
import { release } from '@keyfold/search/index';

const folderName = 'index';
const stateName = 'state';

/** Worker APIs that TypeScript's DOM library does not declare. */
type SyncHandle = {
  readonly write: (bytes: Uint8Array, options: { at: number }) => number;
  readonly truncate: (size: number) => void;
  readonly flush: () => void;
  readonly close: () => void;
};
type WorkerFileHandle = FileSystemFileHandle & { createSyncAccessHandle?: () => Promise<SyncHandle> };

export type SearchFiles = {
  /** Returns every segment that opens, by file name; with `remove`, deletes the others. */
  readonly load: (
    remove: boolean,
    known: ReadonlySet<string>,
  ) => Promise<{ name: string; bytes: Uint8Array }[]>;
  readonly names: () => Promise<ReadonlySet<string>>;
  /** Stores a segment; returns its file name, or null when nothing can be stored. */
  readonly save: (bytes: Uint8Array) => Promise<string | null>;
  readonly remove: (name: string) => Promise<void>;
  readonly loadState: () => Promise<Uint8Array | null>;
  readonly saveState: (bytes: Uint8Array) => Promise<void>;
};

async function findFolder(): Promise<FileSystemDirectoryHandle | null> {
  try {
    const root = await navigator.storage.getDirectory();
    return await root.getDirectoryHandle(folderName, { create: true });
  } catch {
    return null;
  }
}

const randomName = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('');

/** Opens the files of the index, sealed in this box. */
export async function openSearchFiles(box: SearchBox): Promise<SearchFiles> {
  const folder = await findFolder();
  const write = async (name: string, kind: SearchPiece, bytes: Uint8Array): Promise<boolean> => {
    if (folder === null) return false;
    try {
      const sealed = await box.seal(kind, bytes);
      const file: WorkerFileHandle = await folder.getFileHandle(name, { create: true });
      const handle = await file.createSyncAccessHandle?.();
      if (handle === undefined) return false;
      try {
        handle.truncate(0);
        handle.write(sealed, { at: 0 });
        handle.flush();
      } finally {
        handle.close();
        release(sealed);
      }
      return true;
    } catch {
      await remove(name);
      return false;
    }
  };
  const read = async (name: string, kind: SearchPiece): Promise<Uint8Array | null> => {
    try {
      const file = await (await folder?.getFileHandle(name))?.getFile();
      return file === undefined ? null : await box.open(kind, new Uint8Array(await file.arrayBuffer()));
    } catch {
      return null;
    }
  };
  const remove = async (name: string): Promise<void> => {
    await folder?.removeEntry(name).catch(() => undefined);
  };
  const names = async (): Promise<Set<string>> => {
    const found = new Set<string>();
    try {
      for await (const name of folder?.keys() ?? []) if (name !== stateName) found.add(name);
    } catch {
      // A folder that was removed in the meantime contains nothing.
    }
    return found;
  };
  return {
    names,
    load: async (mayRemove, known) => {
      const loaded: { name: string; bytes: Uint8Array }[] = [];
      for (const name of await names()) {
        if (known.has(name)) continue;
        const bytes = await read(name, 'segment');
        if (bytes !== null) loaded.push({ name, bytes });
        else if (mayRemove) await remove(name);
      }
      return loaded;
    },
    save: async bytes => {
      const name = randomName();
      return (await write(name, 'segment', bytes)) ? name : null;
    },
    remove,
    loadState: () => read(stateName, 'state'),
    saveState: async bytes => {
      await write(stateName, 'state', bytes);
    },
  };
}
