// Removes an account from this device. Separate from storage.ts, which every sign-in loads.
import { forgetSession } from './storage.ts';

/**
 * Removes all app data from this device, including appearance settings, because the account no
 * longer exists.
 */
export async function forgetEverything(): Promise<void> {
  await forgetSession();
  try {
    localStorage.clear();
  } catch {
    // Storage is blocked, so there is nothing to remove.
  }
}
