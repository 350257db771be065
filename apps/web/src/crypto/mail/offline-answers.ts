// Caches the server's answers on this device for offline use: sealed, under names that reveal
// nothing without the key, in a database that signing out deletes. Runs in the key worker. Most
// answers are already ciphertext; sealing them again hides who wrote, when, and which messages were
// viewed. The oldest answers are evicted when there are too many. Holds the answers of one user at
// a time: those left by another user whose session ended elsewhere are deleted when the next user
// stays signed in.
import { hideName, openRecord, sealRecord } from '@keyfold/crypto/record';
import { getVault } from '../keys/vault-keeper.ts';

const databaseName = 'keyfold-offline';
const storeName = 'answers';
/** Holds one name, hidden like all others: that of the answers' owner. */
const ownerStoreName = 'owner';
const kind = 'offline';
/** Maximum number of characters of sealed text, in total and for a single answer. */
const MOST_KEPT = 60_000_000;
const MOST_OF_ONE = 4_000_000;

type Kept = { readonly name: string; readonly sealed: string; readonly at: number };

const settled = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The database failed'));
  });

let opening: Promise<IDBDatabase> | null = null;

function database(): Promise<IDBDatabase> {
  opening ??= (() => {
    const request = indexedDB.open(databaseName, 2);
    request.onupgradeneeded = ({ oldVersion }) => {
      if (oldVersion < 1)
        request.result.createObjectStore(storeName, { keyPath: 'name' }).createIndex('at', 'at');
      request.result.createObjectStore(ownerStoreName, { keyPath: 'name' });
    };
    return settled(request).then(db => {
      // Signing out deletes the database; an open connection would block that.
      db.onversionchange = () => {
        db.close();
        opening = null;
      };
      return db;
    });
  })();
  opening.catch(() => {
    opening = null;
  });
  return opening;
}

let keptCharacters: Promise<number> | null = null;

async function countKept(db: IDBDatabase): Promise<number> {
  const all = (await settled(db.transaction(storeName).objectStore(storeName).getAll())) as Kept[];
  return all.reduce((sum, { sealed }) => sum + sealed.length, 0);
}

/** Deletes the oldest answers until the rest fits. */
async function makeRoom(db: IDBDatabase): Promise<void> {
  const store = db.transaction(storeName, 'readwrite').objectStore(storeName);
  const oldestFirst = (await settled(store.index('at').getAll())) as Kept[];
  let kept = oldestFirst.reduce((sum, { sealed }) => sum + sealed.length, 0);
  for (const { name, sealed } of oldestFirst) {
    if (kept <= MOST_KEPT * 0.8) break;
    kept -= sealed.length;
    store.delete(name);
  }
  keptCharacters = Promise.resolve(kept);
}

/**
 * Claims the database for the owner of the open vault: deletes the answers of another user, which
 * this vault cannot open. Nothing is known about the other user except that there was one.
 */
export async function claimAnswers(): Promise<void> {
  const name = await hideName(getVault().identity.sent_key, 'owner');
  const db = await database();
  const found = await settled(db.transaction(ownerStoreName).objectStore(ownerStoreName).get(name));
  if (found !== undefined) return;
  const change = db.transaction([storeName, ownerStoreName], 'readwrite');
  const done = new Promise<void>((resolve, reject) => {
    change.oncomplete = () => resolve();
    change.onabort = () => reject(change.error ?? new Error('The database failed'));
  });
  change.objectStore(storeName).clear();
  change.objectStore(ownerStoreName).clear();
  change.objectStore(ownerStoreName).put({ name });
  await done;
  keptCharacters = null;
}

/** Stores an answer under its question; skips answers that are too large. */
export async function keepAnswer(question: string, answer: unknown): Promise<void> {
  const text = JSON.stringify(answer);
  if (text.length > MOST_OF_ONE) return;
  const { sent_key: key } = getVault().identity;
  const name = await hideName(key, question);
  const sealed = await sealRecord(key, { kind, id: name }, new TextEncoder().encode(text));
  const db = await database();
  keptCharacters ??= countKept(db);
  const before = await keptCharacters;
  const kept: Kept = { name, sealed, at: Date.now() };
  await settled(db.transaction(storeName, 'readwrite').objectStore(storeName).put(kept));
  keptCharacters = Promise.resolve(before + sealed.length);
  if (before + sealed.length > MOST_KEPT) await makeRoom(db);
}

/** Returns the last answer stored for this question, or null. */
export async function findAnswer(question: string): Promise<unknown> {
  const { sent_key: key } = getVault().identity;
  const name = await hideName(key, question);
  const store = (await database()).transaction(storeName).objectStore(storeName);
  const kept = (await settled(store.get(name))) as Kept | undefined;
  if (kept === undefined) return null;
  return JSON.parse(new TextDecoder().decode(await openRecord(key, { kind, id: name }, kept.sealed)));
}
