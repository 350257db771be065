/**
 * Where a draft is on the server: makes it once, whatever becomes of the answers, replaces what it says, and removes it.
 * When that happens is draft-saver.ts's and draft-session.ts's.
 */
import { CallError } from '@keyfold/contract/client';
import { keys } from '../../../crypto/key-client.ts';
import { mailClient } from '../../../session/calls/clients/mail.ts';
import { sendingClient } from '../../../session/calls/clients/sending.ts';
import type { DraftState } from './draft-state.ts';
import { toOutgoingMessage } from './message-body.ts';
import { answerFields } from './send-request.ts';

/** The message key of a new draft, sealed for its owner: what an empty draft is made of. */
export type EmptyWrap = Promise<Parameters<typeof sendingClient.empty>[0]>;

type HomeNeeds = {
  readonly handle: string;
  /** The draft that is there already. */
  readonly draftId: string | null;
  /** Null for what has been on the server before. */
  readonly emptyWrap: EmptyWrap | null;
  /** Reports the id of the draft each time that it is settled. */
  readonly onStored: (draftId: string) => void;
};

const isGone = (error: unknown): boolean =>
  error instanceof CallError && (error.status === 404 || error.code === 'draft_refused');

export type DraftHome = ReturnType<typeof createDraftHome>;

/** The draft of one composer on the server. */
export function createDraftHome({ handle, draftId, emptyWrap, onStored }: HomeNeeds) {
  let home: Promise<string> | null = draftId === null ? null : Promise.resolve(draftId);
  /** Making it was asked for, and no answer has come. */
  let isUnheard = false;

  /**
   * Until a draft is known every try to make one is the same to the server, which may have made it without its answer arriving: also a
   * try after the page was reloaded, since a copy on this device keeps the draft's handle. Once another device has saved that draft
   * the server leaves it alone and makes another one for this composer.
   */
  const underFirstKey = () => {
    isUnheard = true;
    return { headers: { 'idempotency-key': handle } };
  };

  const adopt = (id: string): void => {
    home = Promise.resolve(id);
    onStored(id);
  };

  const makeEmpty = async (wrap: EmptyWrap): Promise<string> =>
    (await sendingClient.empty(await wrap, underFirstKey())).data.draft_id;

  return {
    adopt,
    /** The draft has become the message that was sent. */
    leave: () => {
      home = null;
    },
    /** Whether a draft may be there whose id never arrived. */
    mayBeUnheard: () => isUnheard,
    find: async (): Promise<string | undefined> => (home === null ? undefined : await home),
    /** The draft's id; the first caller makes an empty draft, so that a file has a home. */
    ensure: (): Promise<string> => {
      home ??= (async () => {
        if (emptyWrap === null) throw new Error('Missing second stage key bytes');
        const id = await makeEmpty(emptyWrap);
        isUnheard = false;
        onStored(id);
        return id;
      })();
      home.catch(() => {
        home = null;
      });
      return home;
    },
    /** Saves the draft as it is. Rejects with CallError. */
    post: async (draft: DraftState): Promise<void> => {
      const sealed = await keys().sealDraft(draft.handle, toOutgoingMessage(draft));
      const known = home === null ? undefined : await home;
      const request = { used_address: draft.from.address, ...answerFields(draft), ...sealed };
      const make = () => sendingClient.draft(request, underFirstKey());
      const { data } =
        known === undefined
          ? await make()
          : await sendingClient.draft({ ...request, draft_id: known }).catch(error => {
              // It was removed elsewhere: what is written here goes into a new one.
              if (!isGone(error)) throw error;
              return make();
            });
      isUnheard = false;
      adopt(data.draft_id);
    },
    /** Removes it; also one whose id never arrived: under the first key the server gives that id, or makes an empty draft. */
    remove: async (): Promise<void> => {
      const unheard = isUnheard && emptyWrap !== null ? () => makeEmpty(emptyWrap) : async () => null;
      const id = await (home ?? unheard()).catch(() => null);
      if (id !== null) await mailClient.remove({ email_id: id });
    },
  };
}
