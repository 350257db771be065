// The one verdict that is shown for a conversation: of all that was received the worst, so that no later mail, and least
// of all one's own answer, takes a doubt out of sight.
import { t } from '../../../../lib/language.ts';
import type { MessageView, SecurityView } from '../../state/view-model.ts';
import { securityWords } from './security-words.ts';

/** Worst first. What one wrote oneself speaks only where nothing was received. */
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

/** Of two of a kind the one with warnings is worse, then the one that no domain confirmed. */
const badness = ({ kind, warnings, confirmedDomain }: SecurityView): number =>
  rank[kind] * 4 + (warnings.length > 0 ? 0 : 2) + (kind === 'stored' && confirmedDomain === null ? 0 : 1);

const isOwn = ({ kind }: SecurityView): boolean => kind === 'own' || kind === 'own_plain';

export type WorstVerdict<Message> = {
  readonly message: Message;
  readonly security: SecurityView;
  /** Whether it holds a doubt about another message than the last one. */
  readonly isEarlier: boolean;
};

/**
 * The verdict to show for messages, oldest first; null while none is known. Of equally bad ones the latest, with the
 * warnings of all.
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

/** What the strip says; of an earlier message it names the sender. */
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
