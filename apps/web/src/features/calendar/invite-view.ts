// Content of an invitation's card, derived from the invitation, the other calendar messages of the
// conversation and the user's answer. Pure, so that every case can be tested without a screen.
import { findJoinLink, tidyDescription } from '@keyfold/mail/ics/description';
import type { Guest } from '@keyfold/mail/ics/guests';
import type { Invitation } from '@keyfold/mail/ics/invitation';
import {
  INVITE_DESCRIPTION_MAX_CHARACTERS,
  INVITE_SUMMARY_DESCRIPTION_MAX_CHARACTERS,
} from '@keyfold/mail/limits';
import { htmlToText } from '@keyfold/mail/mime/html-text';
import type { MailInvite } from './invite-queries.ts';
import type { RsvpAnswer } from './own-answers.ts';

/**
 * `ask`: to be answered; `own`: the user is the organizer; `info`: nothing to answer; `answered`: a
 * guest's answer; `ownAnswer`: the user's sent answer; `counter`: a proposed time;
 * `counterDeclined`: the organizer declined it; `ownRefusal`: the user declined it; `refresh`: a
 * guest requests the newest version; `cancelled`: the organizer canceled the event; `outdated`: a
 * newer version is present.
 */
export type InviteKind =
  | 'ask'
  | 'own'
  | 'info'
  | 'answered'
  | 'ownAnswer'
  | 'counter'
  | 'counterDeclined'
  | 'ownRefusal'
  | 'refresh'
  | 'cancelled'
  | 'outdated';

export type InviteView = {
  readonly kind: InviteKind;
  readonly invitation: Invitation;
  readonly title: string;
  readonly description: string;
  /** URL of the video meeting, if the event has one. */
  readonly joinLink: string | null;
  /** An older version of it is in the conversation. */
  readonly isChanged: boolean;
  /** For outdated ones: the newer message cancels the event. */
  readonly isCalledOff: boolean;
  readonly isPast: boolean;
  /** The user among the guests. */
  readonly me: Guest | null;
  readonly isOrganizer: boolean;
  /**
   * The person who answers or proposes, as the message itself proves: its sender, if the file names
   * another person.
   */
  readonly speaker: Pick<Guest, 'name' | 'address'> | null;
  readonly answer: RsvpAnswer | null;
  /** Including the answers received. */
  readonly guests: readonly Guest[];
  /** The newest invitation that the user sent for this event, the base for updates. */
  readonly source: MailInvite | null;
};

const fromPartstat = { ACCEPTED: 'accepted', TENTATIVE: 'tentative', DECLINED: 'declined' } as const;

const invitationOf = ({ read }: MailInvite): Invitation | null =>
  read.kind === 'read' ? read.invitation : null;

const isAsking = ({ method }: Invitation): boolean =>
  method === 'REQUEST' || method === 'PUBLISH' || method === 'ADD';

const isSameDate = (one: Invitation, other: Invitation): boolean =>
  (one.recurrenceId?.value ?? null) === (other.recurrenceId?.value ?? null);

const isCancel = (one: Invitation): boolean => one.method === 'CANCEL' || one.status === 'CANCELLED';

/**
 * Returns whether `other` may speak for the organizer of the event in `mine`: it is from the
 * organizer, or from the sender of `mine`. Anyone who knows a conversation can write into it, above
 * all guests (RFC 5546 section 6.1.1).
 */
const isFromOrganizer = (other: MailInvite, mine: MailInvite, invitation: Invitation): boolean =>
  !other.isDoubtful &&
  (other.from === mine.from || other.from === invitation.organizer?.address.toLowerCase());

/** Returns whether a message about a guest is from that guest. */
const isFromGuest = ({ from, isDoubtful }: MailInvite, guest: Guest): boolean =>
  !isDoubtful && from === guest.address.toLowerCase();

/**
 * Returns whether `other` replaces `mine`: a higher sequence, or a cancellation of the same date or
 * of the whole series.
 */
function replaces(other: MailInvite, mine: MailInvite, invitation: Invitation): boolean {
  const one = invitationOf(other);
  if (one === null || one.uid !== invitation.uid || other.mailId === mine.mailId) return false;
  if (!isFromOrganizer(other, mine, invitation)) return false;
  if (isCancel(one) && (one.recurrenceId === null || isSameDate(one, invitation)))
    return (
      !isCancel(invitation) && one.sequence >= invitation.sequence && other.receivedAt >= mine.receivedAt
    );
  return isAsking(one) && isSameDate(one, invitation) && one.sequence > invitation.sequence;
}

const textOf = (description: string): string =>
  /<(?:br|p|div|a|b|i|ul|li|span|html|table)\b/i.test(description)
    ? htmlToText(description).trim()
    : description;

const toPartstat = { accepted: 'ACCEPTED', tentative: 'TENTATIVE', declined: 'DECLINED' } as const;

/**
 * Returns the guests with the user's answer applied; the file contains the state when it was sent.
 */
export const withOwnAnswer = (
  guests: readonly Guest[],
  me: Guest | null,
  answer: RsvpAnswer | null,
): readonly Guest[] =>
  answer === null || me === null
    ? guests
    : guests.map(guest => (guest.address === me.address ? { ...guest, answer: toPartstat[answer] } : guest));

/** Applies the newest answer of each guest to the guests that the invitation names. */
function withAnswers(invitation: Invitation, invites: readonly MailInvite[]): Guest[] {
  const answers = new Map<string, { readonly at: string; readonly answer: Guest['answer'] }>();
  for (const invite of invites) {
    const one = invitationOf(invite);
    const [guest] = one?.guests ?? [];
    if (one === null || guest === undefined || one.method !== 'REPLY' || one.uid !== invitation.uid) continue;
    if (one.sequence < invitation.sequence || !isSameDate(one, invitation)) continue;
    if (!isFromGuest(invite, guest)) continue;
    const key = guest.address.toLowerCase();
    const at = one.stampedAt ?? invite.receivedAt;
    const before = answers.get(key);
    if (before === undefined || before.at <= at) answers.set(key, { at, answer: guest.answer });
  }
  return invitation.guests.map(guest => ({
    ...guest,
    answer: answers.get(guest.address.toLowerCase())?.answer ?? guest.answer,
  }));
}

function kindOf(
  { isSent }: MailInvite,
  invitation: Invitation,
  isOutdated: boolean,
  isOrganizer: boolean,
  me: Guest | null,
): InviteKind {
  if (invitation.method === 'REPLY') return isSent ? 'ownAnswer' : 'answered';
  if (invitation.method === 'COUNTER') return 'counter';
  if (invitation.method === 'DECLINECOUNTER') return isSent ? 'ownRefusal' : 'counterDeclined';
  if (invitation.method === 'REFRESH') return 'refresh';
  if (isCancel(invitation)) return 'cancelled';
  if (isOutdated) return 'outdated';
  if (isOrganizer) return 'own';
  const canAnswer = me !== null && invitation.organizer !== null && invitation.uid !== '';
  return canAnswer && invitation.method !== 'PUBLISH' ? 'ask' : 'info';
}

/** Returns the card of one message among the calendar messages of its conversation. */
export function toInviteView(
  mine: MailInvite,
  invitation: Invitation,
  all: readonly MailInvite[],
  isOwnAddress: (address: string) => boolean,
  kept: RsvpAnswer | null,
): InviteView {
  const newer = all.filter(other => replaces(other, mine, invitation));
  const me = invitation.guests.find(({ address }) => isOwnAddress(address)) ?? null;
  const isOrganizer = invitation.organizer !== null && isOwnAddress(invitation.organizer.address);
  const kind = kindOf(mine, invitation, newer.length > 0, isOrganizer, me);
  const related = all.flatMap(other => {
    const one = invitationOf(other);
    return one !== null && one.uid === invitation.uid ? [{ other, one }] : [];
  });
  const source = related
    .filter(({ other, one }) => other.isSent && one.method === 'REQUEST' && isSameDate(one, invitation))
    .toSorted((left, right) => right.one.sequence - left.one.sequence)[0];
  const description = tidyDescription(textOf(invitation.description));
  const { location, url } = invitation;
  const joinLink = findJoinLink(invitation.description) ?? invitation.conference;
  const isShort = kind !== 'ask' && kind !== 'own' && kind !== 'info';
  const limit = isShort ? INVITE_SUMMARY_DESCRIPTION_MAX_CHARACTERS : INVITE_DESCRIPTION_MAX_CHARACTERS;
  // Hidden, not truncated (docs/interpretations.md#79).
  const shown = description.length < limit ? description : '';
  const [guest] = invitation.guests;
  const isOwnAnswer = kind === 'ownAnswer';
  const partstat = (isOwnAnswer ? guest : me)?.answer;
  return {
    kind,
    invitation,
    title: invitation.summary || (related.find(({ one }) => one.summary !== '')?.one.summary ?? ''),
    description: shown,
    joinLink:
      joinLink !== null && [url ?? '', location, shown].some(one => one.includes(joinLink)) ? null : joinLink,
    isChanged:
      isAsking(invitation) &&
      related.some(
        ({ one }) => isSameDate(one, invitation) && isAsking(one) && one.sequence < invitation.sequence,
      ),
    isCalledOff: newer.some(other => {
      const one = invitationOf(other);
      return one !== null && isCancel(one);
    }),
    isPast: invitation.isOver,
    me,
    isOrganizer,
    speaker:
      guest === undefined || isFromGuest(mine, guest) || mine.from === ''
        ? (guest ?? null)
        : { name: '', address: mine.from },
    // A later answer may have followed the one in this message.
    answer:
      kind === 'ownRefusal'
        ? null
        : ((isOwnAnswer ? null : kept) ??
          (partstat === 'ACCEPTED' || partstat === 'TENTATIVE' || partstat === 'DECLINED'
            ? fromPartstat[partstat]
            : null)),
    guests: withAnswers(invitation, all),
    source: source?.other ?? null,
  };
}
