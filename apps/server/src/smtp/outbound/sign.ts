/**
 * DKIM signatures of outgoing mail, relaxed/relaxed (RFC 6376). The keys are managed by
 * features/outbound/delivery.
 */
import { dkimSign } from 'mailauth/lib/dkim/sign.js';
import type { SigningKey } from '../../features/outbound/delivery/index.ts';

/**
 * Signed fields: those that identify a message, list fields, and the address for complaints (RFC
 * 9477 §3.1.3).
 */
export const SIGNED_FIELDS = [
  'From:Sender:Reply-To:Subject:Date:Message-ID:To:Cc:MIME-Version:Content-Type:Content-Transfer-Encoding:Content-ID',
  'Content-Description:In-Reply-To:References:List-Id:List-Help:List-Unsubscribe:List-Unsubscribe-Post:List-Subscribe',
  'List-Post:List-Owner:List-Archive:CFBL-Address:CFBL-Feedback-ID',
].join(':');

/**
 * Returns the DKIM-Signature field to prepend to a message, including CRLF. Throws when the key
 * cannot sign.
 */
export async function signMessage(message: Buffer, key: SigningKey): Promise<Buffer> {
  const signature = {
    signingDomain: key.domain,
    selector: key.selector,
    privateKey: key.privateKeyPem,
  };
  const { signatures, errors } = await dkimSign(message, {
    ...signature,
    canonicalization: 'relaxed/relaxed',
    headerList: SIGNED_FIELDS,
    signatureData: [signature],
  });
  if (signatures === '' || (errors?.length ?? 0) > 0) throw new Error('The message could not be signed');
  return Buffer.from(signatures);
}
