// What the web client keeps on this device under the names of docs/spec-map.md 3. Values that hold anything of a mailbox are
// sealed before they come here (docs/api-conventions.md#sessions); this file only stores, reads and forgets.
import { FORGET_RETRY_MS } from '../timing.ts';

/** Every local-storage key that belongs to a session; logout and account deletion clear them all (docs/interpretations.md#96). */
export const sessionKeys = [
  'vault',
  'user',
  'auth_backup',
  'restore_key',
  'keep_signed_in',
  'offline_account',
  'unreadCount',
  'pushToken',
  'notificationPreferences',
  'biometric_credentials',
  'biometric_enabled',
  'server_import',
] as const;

export type SessionKey = (typeof sessionKeys)[number];

/** A stored text, or null. */
export function findStored(key: SessionKey): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores a text; false when the browser does not let us. */
export function keepStored(key: SessionKey, value: string): boolean {
  try {
    localStorage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}

/** Removes a text. */
export function forgetStored(key: SessionKey): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Storage is blocked, so there is nothing to forget.
  }
}

/** Forgets a kept session that is over: it cannot be restored, and no password opens its mail here any more. */
export function forgetKeptSession(): void {
  for (const key of ['auth_backup', 'restore_key', 'keep_signed_in', 'offline_account'] as const)
    forgetStored(key);
}

function forgetDatabase(name: string): void {
  try {
    indexedDB.deleteDatabase(name);
  } catch {
    // Storage is blocked, so there is nothing to remove.
  }
}

/** Removes the answers that a kept session left for reading offline. */
export const forgetKeptAnswers = (): void => forgetDatabase('keyfold-offline');

/** Removes the handles of files that are being imported: names and places, which cannot be sealed. */
export const forgetFileHandles = (): void => forgetDatabase('import-files');

const FORGET_TRIES = 30;
const pause = (): Promise<void> => new Promise(resolve => setTimeout(resolve, FORGET_RETRY_MS));

/**
 * Removes every file of the origin's private file system. What a worker has open cannot be removed before it is gone, which
 * takes a moment after it was ended.
 */
async function forgetFiles(): Promise<void> {
  try {
    const root = await navigator.storage.getDirectory();
    for (let tries = 0; tries < FORGET_TRIES; tries++) {
      const names: string[] = [];
      for await (const name of root.keys()) names.push(name);
      if (names.length === 0) return;
      await Promise.all(names.map(name => root.removeEntry(name, { recursive: true }).catch(pause)));
    }
  } catch {
    // There is no such file system here, so nothing is kept in it.
  }
}

/** Removes everything of a session from this device: storage, databases, files, caches. */
export async function forgetSession(): Promise<void> {
  for (const key of sessionKeys) forgetStored(key);
  const databases = (await indexedDB.databases?.().catch(() => [])) ?? [];
  for (const { name } of databases) if (name !== undefined) indexedDB.deleteDatabase(name);
  await forgetFiles();
  if ('caches' in globalThis) {
    const names = await caches.keys().catch(() => []);
    await Promise.all(names.filter(name => name.startsWith('mail')).map(name => caches.delete(name)));
  }
}
