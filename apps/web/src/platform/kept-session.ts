// Data that a kept session stores on this device, validated when read. Separate from storage.ts,
// which the sign-in form loads and which therefore includes no schemas.
import { mainKey } from '@keyfold/contract/user';
import { z } from 'zod';
import { findStored, type SessionKey } from './storage.ts';

function findKept<Kept>(key: SessionKey, schema: z.ZodType<Kept>): Kept | null {
  const text = findStored(key);
  if (text === null) return null;
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

const authBackup = z.object({
  email: z.string(),
  timestamp: z.number(),
  vaultData: z.string(),
  persistent: z.literal(true),
});
export type AuthBackup = z.infer<typeof authBackup>;

/** Returns the backup of a kept session, or null if it is missing or damaged. */
export const findAuthBackup = (): AuthBackup | null => findKept('auth_backup', authBackup);

const offlineAccount = z.object({
  email: z.string(),
  main_key: mainKey,
  /** The user, sealed under the user's own key. */
  user: z.string(),
});
export type OfflineAccount = z.infer<typeof offlineAccount>;

/**
 * Returns the data that opens the mail of a kept session with only the password, or null if it is
 * missing or damaged.
 */
export const findOfflineAccount = (): OfflineAccount | null => findKept('offline_account', offlineAccount);
