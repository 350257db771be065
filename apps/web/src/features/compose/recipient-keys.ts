// The public keys of addresses, asked of the server in batches and remembered for a while: an address without keys may
// get an account at any time, and must not go on getting plain mail then (readings 18, `known_outside_users`).
import type { AddressKeys } from '@keyfold/contract';
import { client } from '../../session/client.ts';

/** How long an answer holds for people with keys, and for those without. */
const keyedLifetimeMs = 60 * 60 * 1000;
const outsideLifetimeMs = 5 * 60 * 1000;
/** Most addresses of one request (readings 88). */
const addressesPerRequest = 100;

type Known = { readonly keys: AddressKeys; readonly until: number };

const known = new Map<string, Known>();

const normalised = (address: string): string => address.trim().toLowerCase();

/** Forgets what is known of these addresses, or of all. */
export function forgetKeys(addresses?: readonly string[]): void {
  if (addresses === undefined) known.clear();
  else for (const address of addresses) known.delete(normalised(address));
}

async function ask(addresses: readonly string[]): Promise<void> {
  const { data } = await client.mail.keys({ users: [...addresses] });
  const now = Date.now();
  for (const [index, keys] of data.entries()) {
    const address = addresses[index];
    if (address === undefined) continue;
    known.set(address, { keys, until: now + ('plaintext' in keys ? outsideLifetimeMs : keyedLifetimeMs) });
  }
}

/** The keys of each address, in order. `fresh` asks again for those that had none. Rejects with CallError. */
export async function findKeys(addresses: readonly string[], fresh = false): Promise<AddressKeys[]> {
  const wanted = addresses.map(normalised);
  const now = Date.now();
  const missing = [...new Set(wanted)].filter(address => {
    const one = known.get(address);
    return one === undefined || one.until < now || (fresh && 'plaintext' in one.keys);
  });
  for (let start = 0; start < missing.length; start += addressesPerRequest) {
    await ask(missing.slice(start, start + addressesPerRequest));
  }
  return wanted.map(address => known.get(address)?.keys ?? { email: address, plaintext: true });
}
