// Handles of the files of an import that runs, beside its journal: with them it is taken up after a reload without choosing the
// files again. They hold names and places of files, which cannot be sealed, so they go as soon as the import has ended, and
// with everything else when one signs out.
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

/** The handles that are kept, by the id of their import. */
export async function listHandles(): Promise<ReadonlyMap<string, readonly FileSystemFileHandle[]>> {
  const stored = await withStore('handles', 'readonly', store => store.getAll()).catch(() => []);
  return new Map((stored as StoredHandles[]).map(({ id, handles }) => [id, handles]));
}
