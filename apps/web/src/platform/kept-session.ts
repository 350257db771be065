// What a kept session leaves on this device, checked as it is read. Apart from storage.ts, which the sign-in form loads and
// which therefore brings no schemas.
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

/** The backup of a kept session, or null when there is none or it is damaged. */
export const findAuthBackup = (): AuthBackup | null => findKept('auth_backup', authBackup);

const offlineAccount = z.object({
  email: z.string(),
  main_key: mainKey,
  /** The user, sealed for themselves. */
  user: z.string(),
});
export type OfflineAccount = z.infer<typeof offlineAccount>;

/** What opens the mail of a kept session with the password alone, or null when it is not there or damaged. */
export const findOfflineAccount = (): OfflineAccount | null => findKept('offline_account', offlineAccount);
