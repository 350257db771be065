// The import databases on this device: sealed journals, and file handles, which the browser stores
// in its own format. Signing out deletes both; file handles, in a separate database, are also
// deleted at any other end of a session (platform/storage.ts).
const databases = {
  journals: { name: 'imports', version: 3 },
  handles: { name: 'import-files', version: 1 },
} as const;

type StoreName = keyof typeof databases;

const ask = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

function open(store: StoreName): Promise<IDBDatabase> {
  const { name, version } = databases[store];
  const opening = indexedDB.open(name, version);
  opening.onupgradeneeded = () => {
    const { result: database } = opening;
    // Earlier versions stored the handles beside the journals.
    for (const other of [...database.objectStoreNames])
      if (other !== store) database.deleteObjectStore(other);
    if (!database.objectStoreNames.contains(store)) database.createObjectStore(store, { keyPath: 'id' });
  };
  return ask(opening);
}

/**
 * Runs one operation on one store with `id` as its key. Rejects where this device stores nothing.
 */
export async function withStore<T>(
  store: StoreName,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const database = await open(store);
  try {
    return await ask(work(database.transaction(store, mode).objectStore(store)));
  } finally {
    database.close();
  }
}
