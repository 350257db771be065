// Handles of the files of an import that runs, beside its journal: with them it is taken up after a reload without choosing the
// files again. They hold names and places of files, which cannot be sealed, so they go as soon as the import has ended, and
// with the session, whoever ends it.
import { withStore } from './import-database.ts';

type StoredHandles = { readonly id: string; readonly handles: readonly FileSystemFileHandle[] };

/** Keeps the handles of an import's files; where this device keeps none, its files are chosen again. */
export async function keepHandles(id: string, handles: readonly FileSystemFileHandle[]): Promise<void> {
  const stored: StoredHandles = { id, handles };
  await withStore('handles', 'readwrite', store => store.put(stored)).catch(() => undefined);
}

/** Forgets the handles of an import. */
export async function dropHandles(id: string): Promise<void> {
  await withStore('handles', 'readwrite', store => store.delete(id)).catch(() => undefined);
}

/** The handles that are kept, by the id of their import; those of an import that has no journal go. */
export async function listHandles(): Promise<ReadonlyMap<string, readonly FileSystemFileHandle[]>> {
  try {
    // Journals after the handles: one is written before the other.
    const stored = (await withStore('handles', 'readonly', store => store.getAll())) as StoredHandles[];
    const journals = new Set(await withStore('journals', 'readonly', store => store.getAllKeys()));
    const left = stored.filter(({ id }) => !journals.has(id));
    for (const { id } of left) await dropHandles(id);
    return new Map(stored.flatMap(one => (left.includes(one) ? [] : [[one.id, one.handles]])));
  } catch {
    return new Map();
  }
}
