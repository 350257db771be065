// The sentences of the security strip: what is safe and what to do, one per kind. Spec §8 names only
// 'Failed to decrypt message'.
import type { SecurityView } from './view-model.ts';

interface SecurityWords {
  tone: 'secure' | 'neutral' | 'warn' | 'danger';
  title?: string;
  text: string;
}

/** What the strip says about a message. */
export function securityWords({ kind, person }: SecurityView): SecurityWords {
  switch (kind) {
    case 'verified':
      return { tone: 'secure', text: `End-to-end encrypted. ${person} is a verified contact.` };
    case 'sealed':
      return { tone: 'secure', text: `End-to-end encrypted. You have not verified ${person} yet.` };
    case 'stored':
      return { tone: 'neutral', text: 'Stored encrypted. It came in without end-to-end encryption.' };
    case 'unproven':
      return {
        tone: 'warn',
        text: `It could not be proved that this was sent by ${person}. Be careful with links and requests.`,
      };
    case 'own':
      return { tone: 'secure', text: 'End-to-end encrypted for everybody it was sent to.' };
    case 'own_plain':
      return {
        tone: 'neutral',
        text: 'Your copy is encrypted. At least one recipient got it without end-to-end encryption.',
      };
    case 'notice':
      return { tone: 'neutral', text: 'A notice from this service.' };
    case 'key_changed':
      return {
        tone: 'danger',
        title: `The key of ${person} has changed`,
        text: 'This happens after a new start, or when somebody pretends to be them. Ask them before you answer.',
      };
    case 'failed':
      return {
        tone: 'danger',
        title: 'Failed to decrypt message',
        text: 'The message was sealed for a key this device does not have. Only the headers are shown.',
      };
  }
}
