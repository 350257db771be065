// Texts of the security strip: what is safe and what to do, one per kind. docs/spec-map.md 8
// specifies only 'Failed to decrypt message'.
import type { FailureCause } from '../../../../crypto/mail/mail-opener.ts';
import { t } from '../../../../lib/language.ts';
import { whenWords } from '../../../compose/sending/schedule.ts';
import type { SecurityView } from '../../state/view-model.ts';

type SecurityWords = {
  tone: 'secure' | 'neutral' | 'warn' | 'danger';
  title?: string;
  text: string;
};

/** Returns the strip's texts for a message. */
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
        text: t('End-to-end encrypted. You haven’t verified {person} yet.', { person }),
      };
    case 'stored':
      return {
        tone: 'neutral',
        text:
          confirmedDomain === null
            ? t(
                'Stored encrypted. It arrived without end-to-end encryption, and its sender can’t be confirmed.',
              )
            : t('Stored encrypted. It arrived without end-to-end encryption. {domain} confirms the sender.', {
                domain: confirmedDomain,
              }),
      };
    case 'unproven':
      return {
        tone: 'warn',
        text: t('Couldn’t confirm that this was sent by {person}. Be careful with links and requests.', {
          person,
        }),
      };
    case 'own':
      return {
        tone: 'secure',
        text:
          when === null
            ? t('End-to-end encrypted for all recipients.')
            : t('Scheduled for {when}. End-to-end encrypted for all recipients.', { when }),
      };
    case 'own_plain':
      return {
        tone: 'neutral',
        text:
          when === null
            ? t('Your copy is encrypted. At least one recipient received it without end-to-end encryption.')
            : t(
                'Scheduled for {when}. Your copy is encrypted. At least one recipient will receive it without end-to-end encryption.',
                { when },
              ),
      };
    case 'from_self':
      return { tone: 'secure', text: t('End-to-end encrypted. You sent this message yourself.') };
    case 'notice':
      return { tone: 'neutral', text: t('A notice from this service.') };
    case 'key_changed':
      return {
        tone: 'danger',
        title: t('The key for {person} has changed', { person }),
        text: t(
          'They may have new keys, or someone may be impersonating them. Check with them before you reply.',
        ),
      };
    case 'mismatch':
      return {
        tone: 'danger',
        title: t('The safety number for {person} doesn’t match', { person }),
        text: t(
          'You found this when you compared safety numbers. Nothing is sent to them until you review it.',
        ),
      };
    case 'failed':
      return failedWords(cause);
  }
}

function failedWords(cause: FailureCause): SecurityWords {
  if (cause === 'unreadable')
    return {
      tone: 'danger',
      title: t('This message couldn’t be read'),
      text: t(
        'The data from the server isn’t a valid message. The sender and subject shown can’t be confirmed.',
      ),
    };
  return {
    tone: 'danger',
    title: t('Failed to decrypt message'),
    text:
      cause === 'no_key'
        ? t(
            'This message was encrypted with a key that this device doesn’t have. The sender and subject shown can’t be confirmed.',
          )
        : t(
            'This message is damaged or was changed after it was encrypted. The sender and subject shown can’t be confirmed.',
          ),
  };
}
