// Who a calendar mail is really from. A guest knows the event's number and can write any From into a letter sealed for
// others; so a sealed one speaks for nobody but the account that sent it and the key that it was sealed with. Mail from
// outside is judged by its domain (session/verdicts.ts).
import type { Email } from '@keyfold/contract';
import { isDoubtfulMail } from '../../session/verdicts.ts';
import type { MailInvite } from './invite-queries.ts';

/** Sealed by its sender for others: one's own copies, notices and mail from outside are not. */
const isSealed = ({ public: isPublic, sent, draft, alert }: Email): boolean =>
  !(isPublic || sent || draft || alert);

/**
 * What the mail itself says: a sealed one must name whom the server knows to have sent it, and a notice speaks for nobody.
 * `from` is the address in the letter, normalised.
 */
export const senderFacts = (mail: Email, from: string): Pick<MailInvite, 'needsProof' | 'isDoubtful'> => ({
  needsProof: isSealed(mail),
  isDoubtful: mail.alert || isDoubtfulMail(mail) || (isSealed(mail) && from !== mail.from),
});

/** Invites whose sender the reader does not find proved count as doubtful, as long as that is so. */
export const withProof = (
  invites: readonly MailInvite[],
  isProven: (mailId: string) => boolean,
): readonly MailInvite[] =>
  invites.map(invite =>
    invite.needsProof && !isProven(invite.mailId) ? { ...invite, isDoubtful: true } : invite,
  );
