// Sends one letter: everybody in one message, or a sealed and a plain copy. Remembers which copies are out, and under which
// key a request was sent whose answer was lost, so that another try never sends twice (docs/interpretations.md#21 to #23,
// docs/api-conventions.md).
import { CallError } from '@keyfold/contract/client';
import type { MessageRecipient } from '../../../crypto/mail/outgoing-message.ts';
import { t } from '../../../lib/language.ts';
import { randomId } from '../../../lib/random-id.ts';
import { sendingClient } from '../../../session/calls/clients/sending.ts';
import type { DraftState } from './draft-state.ts';
import { toOutgoingMessage } from './message-body.ts';
import { postSend, type SealedSend, type SendTiming, sealRequest } from './send-request.ts';

export type DraftSender = {
  /** Sends what has not been sent yet, under these keys if there are any. Gives the ids of the mails. */
  readonly send: (
    timing: SendTiming,
    inTwoCopies: boolean,
    sendKeys: readonly string[] | null,
  ) => Promise<readonly string[]>;
  /** Recalls all of it, both copies if there were two; gives the id of the draft that it is again. Rejects when any has gone. */
  readonly recall: () => Promise<string>;
};

type SenderRoom = {
  readonly state: () => DraftState;
  readonly draftId: () => Promise<string | undefined>;
  /** The draft has become the mail that was sent. */
  readonly onDraftTaken: () => void;
};

/** No answer came. */
export const isOffline = (error: unknown): boolean => error instanceof CallError && error.status === 0;
/** Nobody knows whether it was sent: no answer came, or the server broke while it answered. */
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

/** A sender for one letter. */
export function createSender({ state, draftId, onDraftTaken }: SenderRoom): DraftSender {
  const sentCopies = new Set<string>();
  let sentIds: string[] = [];
  let unanswered: ({ readonly written: string } & SealedSend) | null = null;

  /**
   * A request whose answer was lost is sent again as it was, under its own key: the server then knows it
   * (docs/api-conventions.md).
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
      // The page was lost before the answer came; the letter was not.
      if (givenKey === undefined || !wasSentBefore(error)) throw error;
    }
    sentCopies.add(written);
    // The first copy takes the draft with it; the next one refers to its files.
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
      if (first === undefined) throw new Error(t('It was sent already'));
      // Of two copies the server takes both back or neither.
      const { data } = await sendingClient.unsend({ id: first });
      sentIds = [];
      sentCopies.clear();
      return data.draft_id;
    },
  };
}
