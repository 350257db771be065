// The databases of imports on this device: journals, which are sealed, and handles of files, which the browser keeps its own
// way. Signing out removes both; handles, in a database of their own, go with any other end of a session too (platform/storage.ts).
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
    // Handles stood beside the journals once.
    for (const other of [...database.objectStoreNames])
      if (other !== store) database.deleteObjectStore(other);
    if (!database.objectStoreNames.contains(store)) database.createObjectStore(store, { keyPath: 'id' });
  };
  return ask(opening);
}

/** Does one thing with one store, whose rows go by `id`. Rejects where this device keeps nothing. */
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
