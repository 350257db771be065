// The sentences of the security strip: what is safe and what to do, one per kind. docs/spec-map.md 8 names only
// 'Failed to decrypt message'.
import type { FailureCause } from '../../../../crypto/mail/mail-opener.ts';
import { t } from '../../../../lib/language.ts';
import { whenWords } from '../../../compose/sending/schedule.ts';
import type { SecurityView } from '../../state/view-model.ts';

type SecurityWords = {
  tone: 'secure' | 'neutral' | 'warn' | 'danger';
  title?: string;
  text: string;
};

/** What the strip says about a message. */
export function securityWords({
  kind,
  cause = 'damaged',
  person,
  confirmedDomain,
  sendAt,
}: SecurityView): SecurityWords {
  const when = sendAt === null ? null : whenWords(new Date(sendAt));
  switch (kind) {
    case 'verified':
      return { tone: 'secure', text: t('End-to-end encrypted. {person} is a verified contact.', { person }) };
    case 'sealed':
      return {
        tone: 'secure',
        text: t('End-to-end encrypted. You have not verified {person} yet.', { person }),
      };
    case 'stored':
      return {
        tone: 'neutral',
        text:
          confirmedDomain === null
            ? t('Stored encrypted. It came in without end-to-end encryption, and nothing proves its sender.')
            : t('Stored encrypted. It came in without end-to-end encryption; {domain} confirms the sender.', {
                domain: confirmedDomain,
              }),
      };
    case 'unproven':
      return {
        tone: 'warn',
        text: t(
          'It could not be proved that this was sent by {person}. Be careful with links and requests.',
          { person },
        ),
      };
    case 'own':
      return {
        tone: 'secure',
        text:
          when === null
            ? t('End-to-end encrypted for everybody it was sent to.')
            : t('To be sent {when}. End-to-end encrypted for everybody it goes to.', { when }),
      };
    case 'own_plain':
      return {
        tone: 'neutral',
        text:
          when === null
            ? t('Your copy is encrypted. At least one recipient got it without end-to-end encryption.')
            : t(
                'To be sent {when}. Your copy is encrypted. At least one recipient will get it without end-to-end encryption.',
                { when },
              ),
      };
    case 'from_self':
      return { tone: 'secure', text: t('End-to-end encrypted. You sent it yourself.') };
    case 'notice':
      return { tone: 'neutral', text: t('A notice from this service.') };
    case 'key_changed':
      return {
        tone: 'danger',
        title: t('The key of {person} has changed', { person }),
        text: t(
          'This happens after a new start, or when somebody pretends to be them. Ask them before you answer.',
        ),
      };
    case 'mismatch':
      return {
        tone: 'danger',
        title: t('The safety number of {person} does not match', { person }),
        text: t('You marked it when you compared. Nothing is sent to them until you review it.'),
      };
    case 'failed':
      return failedWords(cause);
  }
}

function failedWords(cause: FailureCause): SecurityWords {
  if (cause === 'unreadable')
    return {
      tone: 'danger',
      title: t('This message could not be read'),
      text: t('What the server sent for it is no message. Nothing proves the sender and subject shown.'),
    };
  return {
    tone: 'danger',
    title: t('Failed to decrypt message'),
    text:
      cause === 'no_key'
        ? t(
            'The message was sealed for a key this device does not have. Nothing proves the sender and subject shown.',
          )
        : t(
            'The message is damaged, or was changed after it was sealed. Nothing proves the sender and subject shown.',
          ),
  };
}
