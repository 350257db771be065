/**
 * Entries of the lists of senders: an address, or `@domain` for everybody there. Pure.
 */
import { AppError } from '@keyfold/contract/errors';
import { asciiDomain, normalizeAddress } from '@keyfold/mail/address-form';
import { isValidAddress } from '@keyfold/mail/addresses';

/** An entry as it is kept, or null when it names nobody. */
function findSender(given: string): string | null {
  const text = given.trim().normalize('NFKC').toLowerCase();
  if (!text.startsWith('@')) return isValidAddress(text) ? normalizeAddress(text) : null;
  const domain = asciiDomain(text.slice(1));
  return isValidAddress(`someone@${domain}`) ? `@${domain}` : null;
}

/** An entry as it is kept. Throws malformed. */
export function toSender(given: string, path = 'sender'): string {
  const sender = findSender(given);
  if (sender === null)
    throw new AppError('malformed', { problems: [{ path, message: 'Neither an address nor @domain' }] });
  return sender;
}

/** A list as it is kept, each entry once. Throws malformed. */
export const toSenders = (given: readonly string[], path: string): string[] => [
  ...new Set(given.map((one, index) => toSender(one, `${path}.${index}`))),
];

/** How closely a list names one of these addresses: the address itself, its domain, or not at all. */
export function findListing(
  list: ReadonlySet<string>,
  addresses: readonly string[],
): 'address' | 'domain' | null {
  if (addresses.some(address => list.has(address))) return 'address';
  return addresses.some(address => list.has(address.slice(address.lastIndexOf('@')))) ? 'domain' : null;
}
