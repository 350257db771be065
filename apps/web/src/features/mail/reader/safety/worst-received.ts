// Chooses the verdict shown for a conversation: the worst of all received messages, so that no
// later message, and especially not the user's own reply, hides a doubt.
import { t } from '../../../../lib/language.ts';
import type { MessageView, SecurityView } from '../../state/view-model.ts';
import { securityWords } from './security-words.ts';

/** Worst first. The user's own messages count only when none was received. */
const rank: Readonly<Record<SecurityView['kind'], number>> = {
  mismatch: 0,
  key_changed: 1,
  failed: 2,
  unproven: 3,
  stored: 4,
  sealed: 5,
  verified: 6,
  notice: 7,
  from_self: 8,
  own_plain: 9,
  own: 10,
};

/** Within a kind, messages with warnings rank worse, then those that no domain confirmed. */
const badness = ({ kind, warnings, confirmedDomain }: SecurityView): number =>
  rank[kind] * 4 + (warnings.length > 0 ? 0 : 2) + (kind === 'stored' && confirmedDomain === null ? 0 : 1);

const isOwn = ({ kind }: SecurityView): boolean => kind === 'own' || kind === 'own_plain';

export type WorstVerdict<Message> = {
  readonly message: Message;
  readonly security: SecurityView;
  /** Whether the verdict is a doubt about a message other than the last one. */
  readonly isEarlier: boolean;
};

/**
 * Returns the verdict to show for messages, oldest first, or null while none is known. Among
 * equally bad ones it is the latest, with the warnings of all.
 */
export function worstReceived<Message extends Pick<MessageView, 'security' | 'isDraft'>>(
  messages: readonly Message[],
): WorstVerdict<Message> | null {
  const sent = messages.filter(({ isDraft }) => !isDraft);
  const known = (sent.length > 0 ? sent : messages).flatMap(message =>
    message.security === null ? [] : [{ message, security: message.security }],
  );
  const received = known.filter(({ security }) => !isOwn(security));
  const last = known.at(-1);
  if (last === undefined) return null;
  if (received.length === 0) return { ...last, isEarlier: false };
  const worst = received.reduce((one, other) =>
    badness(other.security) <= badness(one.security) ? other : one,
  );
  const warnings = [...new Set(received.flatMap(({ security }) => security.warnings))];
  return {
    message: worst.message,
    security: { ...worst.security, warnings },
    isEarlier:
      worst.message !== last.message && (rank[worst.security.kind] < rank.sealed || warnings.length > 0),
  };
}

/** Returns the strip's texts. For an earlier message they name the sender. */
export function verdictWords(security: SecurityView, isEarlier: boolean): ReturnType<typeof securityWords> {
  const words = securityWords(security);
  if (!isEarlier) return words;
  return {
    ...words,
    text:
      security.kind === 'failed'
        ? t('This is about an earlier message. {text}', { text: words.text })
        : t('This is about an earlier message from {person}. {text}', {
            person: security.person,
            text: words.text,
          }),
  };
}
