// Who a calendar mail is really from. A guest knows the event's number and can write any From into a letter sealed for
// others; so a sealed one speaks for nobody but the account that sent it and the key that it was sealed with. Mail from
// outside is judged by its domain (session/trust/verdicts.ts).
import type { Email } from '@keyfold/contract';
import type { OpenPath } from '@keyfold/crypto/opener';
import { isDoubtfulMail, isFromElsewhere } from '../../session/trust/verdicts.ts';
import type { MailInvite } from './invite-queries.ts';

/** What a mail turned out to be once it was opened. */
export type OpenedFacts = {
  readonly path: OpenPath | null;
  /** Whether the From in the letter is one's own address. */
  readonly isFromSelf: boolean;
};

/** Written by its reader: one's own key opened it, under one's own From. The server's marks alone say nothing. */
const isOwn = ({ path, isFromSelf }: OpenedFacts): boolean => path === 'self' && isFromSelf;

/** One's own copy of something that was sent from here. */
export const isOwnCopy = (mail: Email, facts: OpenedFacts): boolean =>
  mail.sent && isOwn(facts) && !isFromElsewhere(mail);

/** Sealed by its sender for others: what one wrote, notices and mail from outside are not. */
const isSealed = ({ public: isPublic, alert }: Email, facts: OpenedFacts): boolean =>
  !(isPublic || isOwn(facts) || alert);

/**
 * What the mail itself says: a sealed one must name whom the server knows to have sent it, and a notice speaks for nobody.
 * `from` is the address in the letter, normalised.
 */
export function senderFacts(
  mail: Email,
  from: string,
  facts: OpenedFacts,
): Pick<MailInvite, 'needsProof' | 'isDoubtful'> {
  const needsProof = isSealed(mail, facts);
  // The mark `sent` would keep mail from outside from being judged by its domain.
  const isDoubtful = isDoubtfulMail({ ...mail, sent: isOwnCopy(mail, facts) });
  return { needsProof, isDoubtful: mail.alert || isDoubtful || (needsProof && from !== mail.from) };
}

/** Invites whose sender the reader does not find proved count as doubtful, as long as that is so. */
export const withProof = (
  invites: readonly MailInvite[],
  isProven: (mailId: string) => boolean,
): readonly MailInvite[] =>
  invites.map(invite =>
    invite.needsProof && !isProven(invite.mailId) ? { ...invite, isDoubtful: true } : invite,
  );
