// How a mailing list says that one leaves it (RFC 2369, RFC 8058): reading the values of its fields. Whether a signature
// covers them, and what is done with an address, is the callers' business.

/** Longest value that is looked at, in characters. */
const VALUE_MAX_CHARACTERS = 8_000;

/** The addresses of a List-Unsubscribe value in their order, without blanks; any scheme. */
export function readUnsubscribeAddresses(value: string): string[] {
  return [...value.slice(0, VALUE_MAX_CHARACTERS).matchAll(/<([^<>]*)>/g)]
    .map(([, address = '']) => address.replace(/\s+/g, ''))
    .filter(address => address !== '');
}

/** Whether an address is one of the web, over https. */
export function isSecureWeb(address: string): boolean {
  if (!/^https:\/\/[^/]/i.test(address)) return false;
  try {
    return new URL(address).hostname !== '';
  } catch {
    return false;
  }
}

/**
 * The address to which one click may be posted, or null: RFC 8058 §3.1 wants one field of each kind, one https address,
 * and the very words of the other field. Takes the unfolded values of all fields of each kind.
 */
export function findOneClickAddress(unsubscribe: readonly string[], post: readonly string[]): string | null {
  const [value, ...others] = unsubscribe;
  const [words, ...otherWords] = post;
  if (value === undefined || words === undefined || others.length + otherWords.length > 0) return null;
  if (!/^\s*list-unsubscribe\s*=\s*one-click\s*$/i.test(words)) return null;
  const [address, ...more] = readUnsubscribeAddresses(value).filter(isSecureWeb);
  return address === undefined || more.length > 0 ? null : address;
}
