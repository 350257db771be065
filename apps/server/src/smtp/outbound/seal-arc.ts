/**
 * Adds our ARC set to a forwarded message (RFC 8617 §5.1): our authentication results on arrival,
 * our signature over the message as received, and the seal over the chain. The message itself is
 * not changed. The keys are managed by features/outbound/delivery.
 */
import { createSeal } from 'mailauth';
import type { SigningKey } from '../../features/outbound/delivery/index.ts';
import type { Authentication } from '../auth/authenticate.ts';
import { SIGNED_FIELDS } from './sign.ts';

type SealedVerdicts = Pick<Authentication, 'arc' | 'isWhole' | 'results'>;

/** Validation states of the received chain that a seal can express. */
const CHAIN_STATES: ReadonlySet<string> = new Set(['fail', 'none', 'pass'] satisfies Authentication['arc'][]);

/**
 * Returns the ARC set to prepend to a message, including CRLF. Empty when none can be made: the
 * chain failed earlier, has fifty sets or could not be checked completely, or the key cannot sign.
 */
export async function sealArc(
  message: Buffer,
  { arc, isWhole, results }: SealedVerdicts,
  key: SigningKey,
): Promise<Buffer> {
  if (!isWhole || !CHAIN_STATES.has(arc)) return Buffer.alloc(0);
  const { headers } = await createSeal(message, {
    // Strict: a chain that was not checked must not be sealed as if there were none.
    strict: true,
    seal: {
      signingDomain: key.domain,
      selector: key.selector,
      privateKey: key.privateKeyPem,
      algorithm: 'rsa-sha256',
      cv: arc,
      authResults: results.replaceAll('; ', ';\r\n '),
      headerList: `DKIM-Signature:${SIGNED_FIELDS}`,
    },
  });
  return Buffer.from(headers.map(line => `${line}\r\n`).join(''));
}
