/**
 * DKIM signatures of outgoing mail, relaxed/relaxed (RFC 6376). The keys are features/delivery's.
 */
import { dkimSign } from 'mailauth/lib/dkim/sign.js';
import type { SigningKey } from '../../features/delivery/service.ts';

/** The DKIM-Signature field to put in front of a message, CRLF included. Throws when the key cannot sign. */
export const signMessage = async (message: Buffer, key: SigningKey): Promise<Buffer> => {
  const signature = {
    signingDomain: key.domain,
    selector: key.selector,
    privateKey: key.privateKeyPem,
  };
  const { signatures, errors } = await dkimSign(message, {
    ...signature,
    canonicalization: 'relaxed/relaxed',
    signatureData: [signature],
  });
  if (signatures === '' || (errors?.length ?? 0) > 0) throw new Error('A message could not be signed');
  return Buffer.from(signatures);
};
