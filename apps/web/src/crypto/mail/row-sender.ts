// Decides whose name a list row shows. The summary is only its sealer's claim, and a sender may
// write any address into it; the server checked the stored From when the message arrived or was
// sent (docs/crypto.md, Insider).
import type { Email } from '@keyfold/contract';
import type { MessageSummary } from '@keyfold/crypto/message';

type Sender = MessageSummary['from'];

/**
 * Returns whether the address is the stored one. Most match exactly and need no address parsing.
 */
async function isStored(address: string, stored: string): Promise<boolean> {
  if (address === stored) return true;
  const { normalizeAddress } = await import('@keyfold/mail/address-form');
  return normalizeAddress(address) === stored;
}

/**
 * Returns the summary, with the stored sender if it names another; the user's own messages stay
 * unchanged.
 */
export async function withStoredSender(
  mail: Pick<Email, 'from' | 'sent' | 'draft'>,
  summary: MessageSummary,
  findStored: () => Promise<Sender>,
): Promise<MessageSummary> {
  if (mail.sent || mail.draft || (await isStored(summary.from.address, mail.from))) return summary;
  return { ...summary, from: await findStored() };
}
