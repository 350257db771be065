// File handles of a running import, stored beside its journal: with them it can be resumed after a
// reload without choosing the files again. Handles contain names and paths of files, which cannot
// be sealed, so they are deleted as soon as the import ends, and with the session, however it ends.
import { withStore } from './import-database.ts';

type StoredHandles = { readonly id: string; readonly handles: readonly FileSystemFileHandle[] };

/**
 * Stores the file handles of an import; where this device stores none, the user chooses the files
 * again.
 */
export async function keepHandles(id: string, handles: readonly FileSystemFileHandle[]): Promise<void> {
  const stored: StoredHandles = { id, handles };
  await withStore('handles', 'readwrite', store => store.put(stored)).catch(() => undefined);
}

/** Deletes the file handles of an import. */
export async function dropHandles(id: string): Promise<void> {
  await withStore('handles', 'readwrite', store => store.delete(id)).catch(() => undefined);
}

/** Returns the stored handles by import id; deletes those without a journal. */
export async function listHandles(): Promise<ReadonlyMap<string, readonly FileSystemFileHandle[]>> {
  try {
    // Read the handles before the journals, because a journal is written before its handles.
    const stored = (await withStore('handles', 'readonly', store => store.getAll())) as StoredHandles[];
    const journals = new Set(await withStore('journals', 'readonly', store => store.getAllKeys()));
    const left = stored.filter(({ id }) => !journals.has(id));
    for (const { id } of left) await dropHandles(id);
    return new Map(stored.flatMap(one => (left.includes(one) ? [] : [[one.id, one.handles]])));
  } catch {
    return new Map();
  }
}
