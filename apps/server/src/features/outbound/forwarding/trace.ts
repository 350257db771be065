/**
 * Trace fields that a relay prepends to a forwarded message (RFC 5321 §4.4), and loop detection.
 * Everything below them stays unchanged, because signatures cover it.
 */
import { normalizeAddress } from '@keyfold/mail/address-form';
import { readHeaderBlock } from '@keyfold/mail/mime/headers';
import { formatDate } from '@keyfold/mail/mime/stored-headers';
import { HOPS_MAX } from '../../../base/sending-limits.ts';

export type Hop = {
  readonly hostname: string;
  readonly clientIp: string;
  /** Hostname given in EHLO. */
  readonly helo: string;
  readonly receivedAt: Date;
};

/**
 * Keeps letters, digits and the other characters of hostnames and address literals: nothing that
 * could end a field or a comment.
 */
const plain = (helo: string): string => helo.replace(/[^A-Za-z0-9.:_[\]-]/g, '').slice(0, 255) || 'unknown';

const literalOf = (ip: string): string => (ip.includes(':') ? `[IPv6:${ip}]` : `[${ip}]`);

/**
 * Returns the Received field, and one Delivered-To for each address the message arrived at, which
 * exposes the next round of a loop.
 */
export const traceFields = (hop: Hop, deliveredTo: readonly string[]): Buffer =>
  Buffer.from(
    [
      ...deliveredTo.map(address => `Delivered-To: ${address}\r\n`),
      `Received: from ${plain(hop.helo)} (${literalOf(hop.clientIp)})\r\n\tby ${hop.hostname} with ESMTP;\r\n\t${formatDate(hop.receivedAt)}\r\n`,
    ].join(''),
  );

/**
 * Returns whether a message already passed through here for one of these addresses, or through too
 * many machines not to be looping.
 */
export function isLooping(raw: Uint8Array, addresses: readonly string[]): boolean {
  const { fields } = readHeaderBlock(raw);
  if (fields.filter(({ key }) => key === 'received').length >= HOPS_MAX) return true;
  return fields.some(
    ({ key, value }) => key === 'delivered-to' && addresses.includes(normalizeAddress(value)),
  );
}
