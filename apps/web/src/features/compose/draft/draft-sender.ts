// Sends one draft: one message for all recipients, or a sealed and a plain copy. Records which
// copies have been sent, and the key of a request whose response was lost, so that a retry never
// sends twice (docs/interpretations.md#21 to #23, docs/api-conventions.md).
import { CallError } from '@keyfold/contract/client';
import type { MessageRecipient } from '../../../crypto/mail/outgoing-message.ts';
import { t } from '../../../lib/language.ts';
import { randomId } from '../../../lib/random-id.ts';
import { sendingClient } from '../../../session/calls/clients/sending.ts';
import type { DraftState } from './draft-state.ts';
import { toOutgoingMessage } from './message-body.ts';
import { postSend, type SealedSend, type SendTiming, sealRequest } from './send-request.ts';

export type DraftSender = {
  /**
   * Sends the copies that have not been sent yet, using the given idempotency keys if any. Returns
   * the ids of the messages.
   */
  readonly send: (
    timing: SendTiming,
    inTwoCopies: boolean,
    sendKeys: readonly string[] | null,
  ) => Promise<readonly string[]>;
  /**
   * Recalls the message, including both copies if there were two. Returns the id of the draft that
   * it becomes. Rejects if any copy has left.
   */
  readonly recall: () => Promise<string>;
};

type SenderRoom = {
  readonly state: () => DraftState;
  readonly draftId: () => Promise<string | undefined>;
  /** The draft has become the sent message. */
  readonly onDraftTaken: () => void;
};

/** Returns whether there was no response. */
export const isOffline = (error: unknown): boolean => error instanceof CallError && error.status === 0;
/**
 * Returns whether the outcome is unknown: there was no response, or the server failed while
 * responding.
 */
const isUncertain = (error: unknown): boolean =>
  error instanceof CallError && (error.status === 0 || error.status >= 500);
const wasSentBefore = (error: unknown): boolean =>
  error instanceof CallError && error.code === 'idempotency_mismatch';

const recipientsOf = (draft: DraftState): MessageRecipient[] =>
  (['to', 'cc', 'bcc'] as const).flatMap(kind =>
    draft[kind].map(({ person, keys }) => ({
      email: person.address,
      kind,
      keys: keys === null || 'plaintext' in keys ? null : keys,
    })),
  );

export function createSender({ state, draftId, onDraftTaken }: SenderRoom): DraftSender {
  const sentCopies = new Set<string>();
  let sentIds: string[] = [];
  let unanswered: ({ readonly written: string } & SealedSend) | null = null;

  /**
   * A request whose response was lost is resent unchanged under its own key, so that the server
   * recognizes it (docs/api-conventions.md).
   */
  const deliver = async (
    people: readonly MessageRecipient[],
    timing: SendTiming,
    givenKey: string | undefined,
  ): Promise<void> => {
    const written = JSON.stringify([toOutgoingMessage(state()), people, timing]);
    if (sentCopies.has(written)) return;
    if (unanswered?.written !== written) {
      const request = await sealRequest(state(), people, await draftId(), timing, sentIds[0]);
      unanswered = { written, key: givenKey ?? randomId(), request };
    }
    try {
      sentIds.push(await postSend(unanswered));
    } catch (error) {
      if (!isUncertain(error)) unanswered = null;
      // The page was lost before the response arrived, but the message was sent.
      if (givenKey === undefined || !wasSentBefore(error)) throw error;
    }
    sentCopies.add(written);
    // The first copy consumes the draft; the second one refers to the first copy's files.
    onDraftTaken();
    unanswered = null;
  };

  return {
    send: async (timing, inTwoCopies, sendKeys) => {
      const everybody = recipientsOf(state());
      const sealed = everybody.filter(one => one.keys !== null);
      const plain = everybody.filter(one => one.keys === null);
      const copies = inTwoCopies && sealed.length > 0 && plain.length > 0 ? [sealed, plain] : [everybody];
      for (const [index, people] of copies.entries()) await deliver(people, timing, sendKeys?.[index]);
      return sentIds;
    },
    recall: async () => {
      const [first] = sentIds;
      if (first === undefined) throw new Error(t('Too late to undo. The message has already been sent.'));
      // Of two copies, the server recalls both or neither.
      const { data } = await sendingClient.unsend({ id: first });
      sentIds = [];
      sentCopies.clear();
      return data.draft_id;
    },
  };
}
