/**
 * Our ARC set over a message that is sent on (RFC 8617 §5.1): what we found when it came, our signature over it as it came, and
 * the seal over the chain. Nothing of the message is changed. The keys are features/outbound/delivery's.
 */
import { createSeal } from 'mailauth';
import type { SigningKey } from '../../features/outbound/delivery/index.ts';
import type { Authentication } from '../auth/authenticate.ts';
import { SIGNED_FIELDS } from './sign.ts';

type SealedVerdicts = Pick<Authentication, 'arc' | 'isWhole' | 'results'>;

/** Validation of the chain that came, as a seal tells it. Anything but these three cannot be told. */
const CHAIN_STATES: ReadonlySet<string> = new Set(['fail', 'none', 'pass'] satisfies Authentication['arc'][]);

/**
 * The ARC set to put in front of a message, CRLF included. Empty when there can be none: a chain that failed before or has fifty
 * sets, one that could not be looked at whole, or a key that cannot sign.
 */
export async function sealArc(
  message: Buffer,
  { arc, isWhole, results }: SealedVerdicts,
  key: SigningKey,
): Promise<Buffer> {
  if (!isWhole || !CHAIN_STATES.has(arc)) return Buffer.alloc(0);
  const { headers } = await createSeal(message, {
    // Strict: a chain that was not looked at cannot be sealed as if there were none.
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
