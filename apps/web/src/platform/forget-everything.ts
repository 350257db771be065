// The end of an account on this device; apart from storage.ts, which everybody loads who comes in.
import { forgetSession } from './storage.ts';

/** Removes everything of this program from this device, how it looks too: nobody of this account comes back. */
export async function forgetEverything(): Promise<void> {
  await forgetSession();
  try {
    localStorage.clear();
  } catch {
    // Storage is blocked, so there is nothing to forget.
  }
}
