// What the web client keeps on this device under the names of spec §3. Values that hold anything of a mailbox are sealed
// before they come here (api.md, Sessions); this file only stores, reads and forgets.
import { z } from 'zod';

/** Every local-storage key that belongs to a session; logout and account deletion clear them all (readings 96). */
export const sessionKeys = [
  'vault',
  'user',
  'auth_backup',
  'keep_signed_in',
  'unreadCount',
  'pushToken',
  'notificationPreferences',
  'biometric_credentials',
  'biometric_enabled',
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

export function forgetStored(key: SessionKey): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Storage is blocked, so there is nothing to forget.
  }
}

const authBackup = z.object({
  email: z.string(),
  timestamp: z.number(),
  vaultData: z.string(),
  persistent: z.literal(true),
});
export type AuthBackup = z.infer<typeof authBackup>;

/** The backup of a kept session, or null when there is none or it is damaged. */
export function findAuthBackup(): AuthBackup | null {
  const text = findStored('auth_backup');
  if (text === null) return null;
  try {
    return authBackup.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Removes everything of a session from this device: storage, databases, caches. */
export async function forgetSession(): Promise<void> {
  for (const key of sessionKeys) forgetStored(key);
  const databases = (await indexedDB.databases?.().catch(() => [])) ?? [];
  for (const { name } of databases) if (name !== undefined) indexedDB.deleteDatabase(name);
  if ('caches' in globalThis) {
    const names = await caches.keys().catch(() => []);
    await Promise.all(names.filter(name => name.startsWith('mail')).map(name => caches.delete(name)));
  }
}
