// Normalizes addresses for comparison and key derivation (docs/spec-map.md 5;
// docs/wire-format.md#names), and derives the name under which a directory lists them. Separate
// file because the web client needs it before it parses any header.

/**
 * Longer texts are not addresses. A header can contain any text, and normalizing a long one is
 * slow.
 */
const NORMALIZED_MAX_CHARACTERS = 1_000;

/**
 * Returns the form in which addresses are compared and hashed: trimmed, NFKC, lowercased,
 * international domain in punycode. Never fails; a domain without a punycode form stays as it is
 * and then fails {@link isValidAddress}.
 */
export function normalizeAddress(address: string): string {
  const given = address.trim();
  const text = (given.length > NORMALIZED_MAX_CHARACTERS ? given : given.normalize('NFKC')).toLowerCase();
  const at = text.lastIndexOf('@');
  return at < 0 ? text : `${text.slice(0, at + 1)}${asciiDomain(text.slice(at + 1))}`;
}

/**
 * Returns a domain in its ASCII form; unchanged when it already is ASCII or cannot be converted.
 */
export function asciiDomain(domain: string): string {
  if (/^[\u0021-\u007e]*$/.test(domain) || /[\s/\\?#@:%[\]<>^|]/.test(domain)) return domain;
  try {
    return new URL(`http://${domain}`).hostname || domain;
  } catch {
    return domain;
  }
}

/** Returns the domain of an address as written; a text without @ counts as a domain. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

/**
 * Returns the address without `+tag`, or null when it has none: `user+anything@` belongs to the
 * same user and is sealed like the plain address.
 */
export function withoutTag(address: string): string | null {
  const at = address.lastIndexOf('@');
  const plus = address.indexOf('+');
  return plus > 0 && plus < at ? address.slice(0, plus) + address.slice(at) : null;
}

/**
 * Returns the name under which a directory lists a normalized address: directory names never have a
 * tag.
 */
export const directoryNameOf = (address: string): string => withoutTag(address) ?? address;
