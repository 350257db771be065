// The one normal form of e-mail addresses, for comparison and key derivation (docs/spec-map.md 5; docs/wire-format.md#names), and
// the name that a directory has them under. It is a file of its own because the web client needs it before it reads any header.

/** Longer texts are no addresses: what stands in a header can be any text, and normal forms of long ones take long. */
const NORMALIZED_MAX_CHARACTERS = 1_000;

/**
 * The form in which addresses are compared and hashed: trimmed, NFKC, lowercased, international domain in punycode.
 * Never fails; a domain that has no punycode form stays as it is and then fails {@link isValidAddress}.
 */
export function normalizeAddress(address: string): string {
  const given = address.trim();
  const text = (given.length > NORMALIZED_MAX_CHARACTERS ? given : given.normalize('NFKC')).toLowerCase();
  const at = text.lastIndexOf('@');
  return at < 0 ? text : `${text.slice(0, at + 1)}${asciiDomain(text.slice(at + 1))}`;
}

/** A domain in its ASCII form; unchanged when it already is ASCII or cannot be converted. */
export function asciiDomain(domain: string): string {
  if (/^[\u0021-\u007e]*$/.test(domain) || /[\s/\\?#@:%[\]<>^|]/.test(domain)) return domain;
  try {
    return new URL(`http://${domain}`).hostname || domain;
  } catch {
    return domain;
  }
}

/** The domain of an address, as it is written there; a text without @ is taken for a domain. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

/** The address without `+tag`, or null when it has none: `user+anything@` is the user's too, sealed like the rest. */
export function withoutTag(address: string): string | null {
  const at = address.lastIndexOf('@');
  const plus = address.indexOf('+');
  return plus > 0 && plus < at ? address.slice(0, plus) + address.slice(at) : null;
}

/** The name under which a directory has an address in normal form: none of its own has a tag. */
export const directoryNameOf = (address: string): string => withoutTag(address) ?? address;
