// Sends a short calendar message (an answer, an invitation) with the same encryption and the same
// call as every message: sealed for recipients with keys, unencrypted with the message key for
// those without. Saves no draft.
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

/** Returns the addresses at a domain of this service that do not exist. */
export const findUnknown = async (addresses: readonly string[]): Promise<string[]> =>
  unknownOf(addresses, await findKeys(addresses));

/**
 * Sends to the people in `to`. Rejects with a CallError, or with an error text when one of the
 * addresses does not exist.
 */
export async function sendMessage(message: OutgoingMessage): Promise<void> {
  const addresses = message.to.map(({ address }) => address.trim().toLowerCase());
  // This module cannot ask the user when the server refuses a key that has changed: so the keys are
  // fetched again.
  forgetKeys(addresses);
  const found = await findKeys(addresses);
  // As in the composer: the address is probably mistyped, and the message would be sent
  // unencrypted.
  const [nobodys] = unknownOf(addresses, found);
  if (nobodys !== undefined) throw new Error(t('The address {address} doesn’t exist.', { address: nobodys }));
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
        // An answer is undone by sending another one.
        undo_seconds: 0,
        ...(sealed.encryption_key === undefined ? {} : { encryption_key: sealed.encryption_key }),
      },
      { headers: { 'idempotency-key': handle } },
    );
  } finally {
    await keys().closeDraft(handle);
  }
}

/** Returns whether an address belongs to this service. */
export async function isOurs(address: string): Promise<boolean> {
  const [one] = await findKeys([address], true);
  return one !== undefined && !('plaintext' in one);
}
