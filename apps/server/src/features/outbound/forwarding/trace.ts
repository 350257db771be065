/**
 * What a relay writes on top of a message that it sends on (RFC 5321 §4.4), and how it knows one that went in circles. Nothing
 * below is touched: signatures cover it.
 */
import { normalizeAddress } from '@keyfold/mail/address-form';
import { readHeaderBlock } from '@keyfold/mail/mime/headers';
import { formatDate } from '@keyfold/mail/mime/stored-headers';
import { HOPS_MAX } from '../../../base/limits.ts';

export type Hop = {
  readonly hostname: string;
  readonly clientIp: string;
  /** The name given with EHLO. */
  readonly helo: string;
  readonly receivedAt: Date;
};

/** Letters, digits and what stands in names of hosts and address literals: nothing that ends a field or a comment. */
const plain = (helo: string): string => helo.replace(/[^A-Za-z0-9.:_[\]-]/g, '').slice(0, 255) || 'unknown';

const literalOf = (ip: string): string => (ip.includes(':') ? `[IPv6:${ip}]` : `[${ip}]`);

/** The Received field, and one Delivered-To for each address it came to, by which the next round is known. */
export const traceFields = (hop: Hop, deliveredTo: readonly string[]): Buffer =>
  Buffer.from(
    [
      ...deliveredTo.map(address => `Delivered-To: ${address}\r\n`),
      `Received: from ${plain(hop.helo)} (${literalOf(hop.clientIp)})\r\n\tby ${hop.hostname} with ESMTP;\r\n\t${formatDate(hop.receivedAt)}\r\n`,
    ].join(''),
  );

/** Whether a message came by here already, to one of these addresses, or passed too many machines to be on a straight way. */
export function isLooping(raw: Uint8Array, addresses: readonly string[]): boolean {
  const { fields } = readHeaderBlock(raw);
  if (fields.filter(({ key }) => key === 'received').length >= HOPS_MAX) return true;
  return fields.some(
    ({ key, value }) => key === 'delivered-to' && addresses.includes(normalizeAddress(value)),
  );
}
