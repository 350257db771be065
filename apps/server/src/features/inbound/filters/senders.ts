/** Entries of the sender lists: an address, or `@domain` for all addresses of a domain. Pure. */
import { AppError } from '@keyfold/contract/errors';
import { asciiDomain, normalizeAddress } from '@keyfold/mail/address-form';
import { isValidAddress } from '@keyfold/mail/addresses';

/** Normalizes an entry. Returns null when it names no sender. */
function findSender(given: string): string | null {
  const text = given.trim().normalize('NFKC').toLowerCase();
  if (!text.startsWith('@')) return isValidAddress(text) ? normalizeAddress(text) : null;
  const domain = asciiDomain(text.slice(1));
  return isValidAddress(`someone@${domain}`) ? `@${domain}` : null;
}

/** Normalizes an entry. Throws malformed. */
export function toSender(given: string, path = 'sender'): string {
  const sender = findSender(given);
  if (sender === null)
    throw new AppError('malformed', { problems: [{ path, message: 'Must be an address or @domain' }] });
  return sender;
}

/** Normalizes a list and removes duplicates. Throws malformed. */
export const toSenders = (given: readonly string[], path: string): string[] => [
  ...new Set(given.map((one, index) => toSender(one, `${path}.${index}`))),
];

/**
 * Returns how closely a list matches one of these addresses: the address itself, its domain, or not
 * at all.
 */
export function findListing(
  list: ReadonlySet<string>,
  addresses: readonly string[],
): 'address' | 'domain' | null {
  if (addresses.some(address => list.has(address))) return 'address';
  return addresses.some(address => list.has(address.slice(address.lastIndexOf('@')))) ? 'domain' : null;
}
