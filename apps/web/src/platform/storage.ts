// Data that the web client stores on this device, under the names of docs/spec-map.md 3. Values
// derived from a mailbox are sealed before they reach this module
// (docs/api-conventions.md#sessions), which only stores, reads and removes.
import { FORGET_RETRY_MS } from '../timing.ts';

/**
 * Every local-storage key that belongs to a session; sign-out and account deletion clear them all
 * (docs/interpretations.md#96).
 */
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

/** Returns a stored text, or null. */
export function findStored(key: SessionKey): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores a text; returns false when the browser refuses. */
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
    // Storage is blocked, so there is nothing to remove.
  }
}

/**
 * Removes a kept session that has ended: it cannot be restored, and no password opens its mail here
 * any longer.
 */
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

/** Removes the responses that a kept session stored for offline reading. */
export const forgetKeptAnswers = (): void => forgetDatabase('keyfold-offline');

/**
 * Removes the handles of files being imported. They hold names and locations, which cannot be
 * sealed.
 */
export const forgetFileHandles = (): void => forgetDatabase('import-files');

const FORGET_TRIES = 30;
const pause = (): Promise<void> => new Promise(resolve => setTimeout(resolve, FORGET_RETRY_MS));

/**
 * Removes every file of the origin private file system. A file that a worker has open cannot be
 * removed until the worker is gone, shortly after its termination.
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
    // This browser has no such file system, so nothing is stored in it.
  }
}

/** Removes all session data from this device: storage, databases, files, caches. */
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
