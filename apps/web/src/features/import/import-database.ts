// The database of imports on this device: journals, which are sealed, and handles of files, which the browser keeps its own
// way. Signing out removes all of it.
const name = 'imports';
const version = 2;
const stores = ['journals', 'handles'] as const;

const ask = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

function open(): Promise<IDBDatabase> {
  const opening = indexedDB.open(name, version);
  opening.onupgradeneeded = () => {
    const { result: database } = opening;
    for (const store of stores)
      if (!database.objectStoreNames.contains(store)) database.createObjectStore(store, { keyPath: 'id' });
  };
  return ask(opening);
}

/** Does one thing with one store, whose rows go by `id`. Rejects where this device keeps nothing. */
export async function withStore<T>(
  store: (typeof stores)[number],
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const database = await open();
  try {
    return await ask(work(database.transaction(store, mode).objectStore(store)));
  } finally {
    database.close();
  }
}
