/**
 * What a message needs the other server to offer beyond plain SMTP: international addresses and header fields (SMTPUTF8,
 * RFC 6531) and bytes above 127 (8BITMIME, RFC 6152). A message is never turned into another one for a server that lacks
 * them: it carries a signature, and an address has no other form.
 */
import { readHeaderBlock } from '@keyfold/mail/mime/headers';

export type Needs = {
  /** An address, or the header, has characters that ASCII lacks. */
  readonly isInternational: boolean;
  readonly hasEightBits: boolean;
};

const NOT_ASCII = /[^\0-\u007f]/;
const hasHighByte = (bytes: Uint8Array): boolean => bytes.some(byte => byte > 0x7f);

/** Whether an address has no form in ASCII. */
export const isInternational = (address: string): boolean => NOT_ASCII.test(address);

/** What a message with these envelope addresses needs. */
export const needsOf = (message: Uint8Array, addresses: readonly string[]): Needs => ({
  isInternational:
    addresses.some(isInternational) || hasHighByte(message.subarray(0, readHeaderBlock(message).end)),
  hasEightBits: hasHighByte(message),
});

/** Codes of failures whose cause is that the server offers too little. */
export const LACKS = { international: 'EINTERNATIONAL', eightBits: 'EEIGHTBITS' } as const;

/** Whether a code is one of these. */
export const isLack = (code: unknown): boolean => Object.values<unknown>(LACKS).includes(code);

/** What is missing among the extensions that a server offers, as a code of LACKS; null when it offers enough. */
export function findLack(
  { isInternational, hasEightBits }: Needs,
  offered: readonly string[],
): (typeof LACKS)[keyof typeof LACKS] | null {
  if (isInternational && !offered.includes('SMTPUTF8')) return LACKS.international;
  // Whoever takes SMTPUTF8 takes eight bits (RFC 6531 §3.1).
  if (hasEightBits && !isInternational && !offered.includes('8BITMIME')) return LACKS.eightBits;
  return null;
}
