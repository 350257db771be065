// Whose name a row of the list shows. The summary is its sealer's word alone, and a sender may write anybody's address
// into it; the stored From is what the server checked when the mail came or was sent (docs/crypto.md, Insider).
import type { Email } from '@keyfold/contract';
import type { MessageSummary } from '@keyfold/crypto/message';
import { normaliseAddress } from '@keyfold/mail/addresses';

/** The summary, with the stored sender in it when it names another; what one wrote oneself stays as it is. */
export function withStoredSender(
  mail: Pick<Email, 'from' | 'sent' | 'draft'>,
  summary: MessageSummary,
  stored: () => MessageSummary['from'],
): MessageSummary {
  const isTrue = mail.sent || mail.draft || normaliseAddress(summary.from.address) === mail.from;
  return isTrue ? summary : { ...summary, from: stored() };
}
