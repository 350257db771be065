// Texts of an invitation's card.
import type { Guest } from '@keyfold/mail/ics/guests';
import { t } from '../../lib/language.ts';
import { joinParts } from '../../lib/words.ts';
import type { InviteView } from './invite-view.ts';
import type { RsvpAnswer } from './own-answers.ts';

const nameOf = (person: { readonly name: string; readonly address: string } | null | undefined): string =>
  person?.name || person?.address || t('Someone');

/** Replaces the button labels once one is pressed. */
export function ownAnswerWords(answer: RsvpAnswer): string {
  if (answer === 'accepted') return t('You accepted');
  return answer === 'tentative' ? t('You answered “Maybe”') : t('You declined');
}

/** Returns one word for a guest's answer. */
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

/** Formats "3 accepted, 1 maybe, 2 awaiting answer". */
export function countWords(guests: readonly Guest[]): string {
  const count = (answer: Guest['answer']) => guests.filter(guest => guest.answer === answer).length;
  const [accepted, maybe, declined] = [count('ACCEPTED'), count('TENTATIVE'), count('DECLINED')];
  const delegated = count('DELEGATED');
  const open = guests.length - accepted - maybe - declined - delegated;
  return joinParts([
    accepted > 0 ? t('{count, plural, one {# accepted} other {# accepted}}', { count: accepted }) : '',
    maybe > 0 ? t('{count, plural, one {# maybe} other {# maybe}}', { count: maybe }) : '',
    declined > 0 ? t('{count, plural, one {# declined} other {# declined}}', { count: declined }) : '',
    delegated > 0 ? t('{count, plural, one {# delegated} other {# delegated}}', { count: delegated }) : '',
    open > 0 ? t('{count, plural, one {# awaiting answer} other {# awaiting answer}}', { count: open }) : '',
  ]);
}

function replyWords(guest: Guest | undefined, speaker: InviteView['speaker']): string {
  const name = nameOf(speaker);
  switch (guest?.answer) {
    case 'ACCEPTED':
      return t('{name} accepted', { name });
    case 'DECLINED':
      return t('{name} declined', { name });
    case 'TENTATIVE':
      return t('{name} answered “Maybe”', { name });
    case 'DELEGATED':
      return t('{name} delegated', { name });
    default:
      return t('{name} hasn’t decided yet', { name });
  }
}

/** Returns the text for the state of this card; empty for a plain invitation. */
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
      return t('This event was canceled.');
    case 'outdated':
      return isCalledOff
        ? t('This event was later canceled.')
        : t('This invitation is out of date. A newer one is in this conversation.');
    case 'answered':
    case 'ownAnswer':
      return replyWords(guest, speaker);
    case 'counter':
      return t('{name} proposed a new time', { name: nameOf(speaker) });
    case 'counterDeclined':
      return t('Your proposed time was declined.');
    case 'ownRefusal':
      return t('You kept the original time');
    case 'refresh':
      return t('{name} requested the latest version of this event', { name: nameOf(guest) });
    default:
      if (isChanged) return t('This event was updated.');
      if (isPast) return t('This event has ended.');
      return kind === 'info' && me === null && !isOrganizer && invitation.method === 'REQUEST'
        ? t('You’re not on the guest list, so no answer is needed.')
        : '';
  }
}
