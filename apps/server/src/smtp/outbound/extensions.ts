/**
 * SMTP extensions that a message requires from the other server: international addresses and header
 * fields (SMTPUTF8, RFC 6531) and bytes above 127 (8BITMIME, RFC 6152). A message is never
 * converted for a server that lacks them, because it is signed and an international address has no
 * ASCII form.
 */
import { readHeaderBlock } from '@keyfold/mail/mime/headers';

export type Needs = {
  /** Whether an address or the header contains non-ASCII characters. */
  readonly isInternational: boolean;
  readonly hasEightBits: boolean;
};

const NOT_ASCII = /[^\0-\u007f]/;
const hasHighByte = (bytes: Uint8Array): boolean => bytes.some(byte => byte > 0x7f);

/** Whether an address contains non-ASCII characters. */
export const isInternational = (address: string): boolean => NOT_ASCII.test(address);

/** Returns the extensions that a message with these envelope addresses requires. */
export const needsOf = (message: Uint8Array, addresses: readonly string[]): Needs => ({
  isInternational:
    addresses.some(isInternational) || hasHighByte(message.subarray(0, readHeaderBlock(message).end)),
  hasEightBits: hasHighByte(message),
});

/** Codes of failures caused by a missing extension of the server. */
export const LACKS = { international: 'EINTERNATIONAL', eightBits: 'EEIGHTBITS' } as const;

/** Whether a code is one of LACKS. */
export const isLack = (code: unknown): boolean => Object.values<unknown>(LACKS).includes(code);

/**
 * Returns the extension that a server does not offer, as a code of LACKS, or null when it offers
 * enough.
 */
export function findLack(
  { isInternational, hasEightBits }: Needs,
  offered: readonly string[],
): (typeof LACKS)[keyof typeof LACKS] | null {
  if (isInternational && !offered.includes('SMTPUTF8')) return LACKS.international;
  // A server that supports SMTPUTF8 also accepts eight-bit bytes (RFC 6531 §3.1).
  if (hasEightBits && !isInternational && !offered.includes('8BITMIME')) return LACKS.eightBits;
  return null;
}
