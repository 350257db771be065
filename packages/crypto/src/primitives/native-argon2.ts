// Argon2id from the host's WebCrypto (RFC 9106), available in Node 26 and in no browser yet. Always
// version 1.3.

import { findSubtle } from '../platform.ts';
import type { Argon2id } from './port.ts';

/** Returns Argon2id on the host's WebCrypto, or null where it is missing. */
export async function findNativeArgon2id(): Promise<Argon2id | null> {
  const subtle = findSubtle();
  if (subtle === null) return null;
  const derive: Argon2id = async (password, salt, cost) => {
    const key = await subtle.importKey('raw-secret', password, 'Argon2id', false, ['deriveBits']);
    const algorithm = {
      name: 'Argon2id',
      nonce: salt,
      passes: cost.passes,
      memory: cost.memoryKib,
      parallelism: cost.lanes,
      version: 0x13,
    };
    return new Uint8Array(await subtle.deriveBits(algorithm, key, cost.outputBytes * 8));
  };
  try {
    // The cheapest run the standard allows; it only checks that the calls exist.
    await derive(new Uint8Array(1), new Uint8Array(8), { passes: 1, memoryKib: 8, lanes: 1, outputBytes: 4 });
    return derive;
  } catch {
    return null;
  }
}
