// Sentences of the card of an invitation.
import type { Guest } from '@keyfold/mail/ics/guests';
import { t } from '../../lib/language.ts';
import type { InviteView } from './invite-view.ts';
import type { RsvpAnswer } from './own-answers.ts';

const nameOf = (person: { readonly name: string; readonly address: string } | null | undefined): string =>
  person?.name || person?.address || t('Somebody');

/** What stands in the place of the buttons' words once one is pressed. */
export function ownAnswerWords(answer: RsvpAnswer): string {
  if (answer === 'accepted') return t('You accepted');
  return answer === 'tentative' ? t('You answered maybe') : t('You declined');
}

/** One word for a guest's answer. */
export function guestAnswerWord({ answer }: Guest): string {
  switch (answer) {
    case 'ACCEPTED':
      return t('accepted');
    case 'DECLINED':
      return t('declined');
    case 'TENTATIVE':
      return t('maybe');
    case 'DELEGATED':
      return t('delegated');
    default:
      return t('no answer yet');
  }
}

/** "3 accepted, 1 maybe, 2 without an answer". */
export function countWords(guests: readonly Guest[]): string {
  const count = (answer: Guest['answer']) => guests.filter(guest => guest.answer === answer).length;
  const [accepted, maybe, declined] = [count('ACCEPTED'), count('TENTATIVE'), count('DECLINED')];
  const open = guests.length - accepted - maybe - declined;
  return [
    accepted > 0 ? t('{count, plural, other {# accepted}}', { count: accepted }) : '',
    maybe > 0 ? t('{count, plural, other {# maybe}}', { count: maybe }) : '',
    declined > 0 ? t('{count, plural, other {# declined}}', { count: declined }) : '',
    open > 0 ? t('{count, plural, other {# without an answer}}', { count: open }) : '',
  ]
    .filter(part => part !== '')
    .join(', ');
}

function replyWords(guest: Guest | undefined, speaker: InviteView['speaker']): string {
  const name = nameOf(speaker);
  switch (guest?.answer) {
    case 'ACCEPTED':
      return t('{name} accepted', { name });
    case 'DECLINED':
      return t('{name} declined', { name });
    case 'TENTATIVE':
      return t('{name} answered maybe', { name });
    case 'DELEGATED':
      return t('{name} sends somebody else', { name });
    default:
      return t('{name} has not decided yet', { name });
  }
}

/** The sentence that says what is special about this card; empty for a plain invitation. */
export function stateWords({
  kind,
  invitation,
  isChanged,
  isCalledOff,
  isPast,
  me,
  isOrganizer,
  speaker,
}: InviteView): string {
  const [guest] = invitation.guests;
  switch (kind) {
    case 'cancelled':
      return t('This event was cancelled.');
    case 'outdated':
      return isCalledOff
        ? t('This event was cancelled later.')
        : t('This invitation is outdated. A newer one is in this conversation.');
    case 'answered':
    case 'ownAnswer':
      return replyWords(guest, speaker);
    case 'counter':
      return t('{name} proposes a new time', { name: nameOf(speaker) });
    case 'counterDeclined':
      return t('The time you proposed was not taken.');
    case 'ownRefusal':
      return t('You kept the old time');
    case 'refresh':
      return t('{name} asks for the newest version of this event', { name: nameOf(guest) });
    default:
      if (isChanged) return t('This event was changed.');
      if (isPast) return t('This event is over.');
      return kind === 'info' && me === null && !isOrganizer && invitation.method === 'REQUEST'
        ? t('You are not among the guests, so there is nothing to answer.')
        : '';
  }
}
