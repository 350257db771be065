// Whose name a row of the list shows. The summary is its sealer's word alone, and a sender may write anybody's address
// into it; the stored From is what the server checked when the mail came or was sent (docs/crypto.md, Insider).
import type { Email } from '@keyfold/contract';
import type { MessageSummary } from '@keyfold/crypto/message';

type Sender = MessageSummary['from'];

/** Whether the address is the stored one. Most are letter for letter, and need no reading of addresses. */
async function isStored(address: string, stored: string): Promise<boolean> {
  if (address === stored) return true;
  const { normalizeAddress } = await import('@keyfold/mail/address-form');
  return normalizeAddress(address) === stored;
}

/** The summary, with the stored sender in it when it names another; what one wrote oneself stays as it is. */
export async function withStoredSender(
  mail: Pick<Email, 'from' | 'sent' | 'draft'>,
  summary: MessageSummary,
  findStored: () => Promise<Sender>,
): Promise<MessageSummary> {
  if (mail.sent || mail.draft || (await isStored(summary.from.address, mail.from))) return summary;
  return { ...summary, from: await findStored() };
}
