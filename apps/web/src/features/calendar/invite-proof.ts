// Determines the real sender of a calendar message. A guest knows the event's UID and can write any
// From into a message encrypted for others; so an encrypted message speaks only for the account
// that sent it and the key that sealed it. Mail from outside is judged by its domain
// (session/trust/verdicts.ts).
import type { Email } from '@keyfold/contract';
import type { OpenPath } from '@keyfold/crypto/opener';
import { isDoubtfulMail, isFromElsewhere } from '../../session/trust/verdicts.ts';
import type { MailInvite } from './invite-queries.ts';

/** Facts about a message that are known once it is opened. */
export type OpenedFacts = {
  readonly path: OpenPath | null;
  /** Whether the From in the message is the user's own address. */
  readonly isFromSelf: boolean;
};

/**
 * Written by the user: opened with the user's own key, with the user's own From. The server's flags
 * alone prove nothing.
 */
const isOwn = ({ path, isFromSelf }: OpenedFacts): boolean => path === 'self' && isFromSelf;

/** Returns whether a message is the user's own copy of one sent from here. */
export const isOwnCopy = (mail: Email, facts: OpenedFacts): boolean =>
  mail.sent && isOwn(facts) && !isFromElsewhere(mail);

/** Sealed by its sender for others: not the user's own messages, notices, or mail from outside. */
const isSealed = ({ public: isPublic, alert }: Email, facts: OpenedFacts): boolean =>
  !(isPublic || isOwn(facts) || alert);

/**
 * Returns the facts from the message itself: an encrypted message must name the sender that the
 * server knows, and a notice speaks for no sender. `from` is the normalized address in the message.
 */
export function senderFacts(
  mail: Email,
  from: string,
  facts: OpenedFacts,
): Pick<MailInvite, 'needsProof' | 'isDoubtful'> {
  const needsProof = isSealed(mail, facts);
  // The server's `sent` flag would exempt mail from outside from being judged by its domain.
  const isDoubtful = isDoubtfulMail({ ...mail, sent: isOwnCopy(mail, facts) });
  return { needsProof, isDoubtful: mail.alert || isDoubtful || (needsProof && from !== mail.from) };
}

/** Marks invites whose sender is not proven as doubtful, for as long as that is so. */
export const withProof = (
  invites: readonly MailInvite[],
  isProven: (mailId: string) => boolean,
): readonly MailInvite[] =>
  invites.map(invite =>
    invite.needsProof && !isProven(invite.mailId) ? { ...invite, isDoubtful: true } : invite,
  );
