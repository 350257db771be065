// Sends a small letter of the calendar's own (an answer, an invitation) through the same sealing and the same call as every
// mail: sealed for those who have keys, in plain with the message key for those who have none. No draft is kept of it.
import { keys } from '../../crypto/key-client.ts';
import type { OutgoingMessage } from '../../crypto/mail/outgoing-message.ts';
import { t } from '../../lib/language.ts';
import { randomId } from '../../lib/random-id.ts';
import { sendingClient } from '../../session/calls/clients/sending.ts';
import { findKeys, forgetKeys, type KnownKeys, sealToPinned } from '../../session/trust/recipient-keys.ts';

const unknownOf = (addresses: readonly string[], found: readonly KnownKeys[]): string[] =>
  addresses.filter((_, index) => {
    const one = found[index];
    return one !== undefined && 'unknown' in one;
  });

/** Those addresses at a domain of this service that nobody has. */
export const findUnknown = async (addresses: readonly string[]): Promise<string[]> =>
  unknownOf(addresses, await findKeys(addresses));

/** Sends to the people in `to`. Rejects with a CallError, and with words when nobody has one of the addresses. */
export async function sendMessage(message: OutgoingMessage): Promise<void> {
  const addresses = message.to.map(({ address }) => address.trim().toLowerCase());
  // No question comes back here when the server refuses a key that has changed since: so it is asked anew.
  forgetKeys(addresses);
  const found = await findKeys(addresses);
  // As the composer has it: most likely mistyped, and it would go out in the clear.
  const [nobodys] = unknownOf(addresses, found);
  if (nobodys !== undefined) throw new Error(t('Nobody has the address {address}.', { address: nobodys }));
  const handle = randomId();
  await keys().openNewDraft(handle);
  try {
    const sealed = await sealToPinned(
      handle,
      message,
      addresses.map((email, index) => {
        const one = found[index];
        return { email, kind: 'to', keys: one === undefined || 'plaintext' in one ? null : one };
      }),
    );
    await sendingClient.send_private(
      {
        used_address: message.from.address,
        ...(message.inReplyTo === undefined ? {} : { in_reply_to: message.inReplyTo }),
        ...(message.references.length === 0 ? {} : { references: [...message.references] }),
        subject: sealed.encryption_key === undefined ? '[...]' : message.subject.slice(0, 998),
        body: sealed.body,
        summary: sealed.summary,
        public_key: sealed.public_key,
        to: [...sealed.to],
        // An answer is taken back by answering otherwise.
        undo_seconds: 0,
        ...(sealed.encryption_key === undefined ? {} : { encryption_key: sealed.encryption_key }),
      },
      { headers: { 'idempotency-key': handle } },
    );
  } finally {
    await keys().closeDraft(handle);
  }
}

/** Whether an address is of this service. */
export async function isOurs(address: string): Promise<boolean> {
  const [one] = await findKeys([address], true);
  return one !== undefined && !('plaintext' in one);
}
