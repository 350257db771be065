/**
 * The server-side copy of a draft: creates it exactly once, even if responses are lost, replaces
 * its content, and deletes it. draft-saver.ts and draft-session.ts decide when.
 */
import { CallError } from '@keyfold/contract/client';
import { keys } from '../../../crypto/key-client.ts';
import { mailClient } from '../../../session/calls/clients/mail.ts';
import { sendingClient } from '../../../session/calls/clients/sending.ts';
import type { DraftState } from './draft-state.ts';
import { toOutgoingMessage } from './message-body.ts';
import { answerFields } from './send-request.ts';

/** The message key of a new draft, sealed for its owner: the content of an empty draft. */
export type EmptyWrap = Promise<Parameters<typeof sendingClient.empty>[0]>;

type HomeNeeds = {
  readonly handle: string;
  /** The existing draft. */
  readonly draftId: string | null;
  /** Null for a draft that has been on the server before. */
  readonly emptyWrap: EmptyWrap | null;
  /** Reports the draft's id whenever it is determined. */
  readonly onStored: (draftId: string) => void;
};

const isGone = (error: unknown): boolean =>
  error instanceof CallError && (error.status === 404 || error.code === 'draft_refused');

export type DraftHome = ReturnType<typeof createDraftHome>;

export function createDraftHome({ handle, draftId, emptyWrap, onStored }: HomeNeeds) {
  let home: Promise<string> | null = draftId === null ? null : Promise.resolve(draftId);
  /** A request to create the draft is without a response. */
  let isUnheard = false;

  /**
   * Until a draft id is known, the server treats every attempt to create the draft as the same one,
   * because an earlier attempt may have succeeded without its response arriving. This includes
   * attempts after a reload, since a copy on this device keeps the draft's handle. Once another
   * device has saved that draft, the server leaves it unchanged and creates another one for this
   * composer.
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
    /** The draft has become the sent message. */
    leave: () => {
      home = null;
    },
    /** Returns whether a draft may exist whose id never arrived. */
    mayBeUnheard: () => isUnheard,
    find: async (): Promise<string | undefined> => (home === null ? undefined : await home),
    /**
     * Returns the draft's id; the first caller creates an empty draft, so that files can be
     * uploaded into it.
     */
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
    /** Saves the draft in its current state. Rejects with CallError. */
    post: async (draft: DraftState): Promise<void> => {
      const sealed = await keys().sealDraft(draft.handle, toOutgoingMessage(draft));
      const known = home === null ? undefined : await home;
      const request = { used_address: draft.from.address, ...answerFields(draft), ...sealed };
      const make = () => sendingClient.draft(request, underFirstKey());
      const { data } =
        known === undefined
          ? await make()
          : await sendingClient.draft({ ...request, draft_id: known }).catch(error => {
              // The draft was deleted elsewhere: save the content as a new one.
              if (!isGone(error)) throw error;
              return make();
            });
      isUnheard = false;
      adopt(data.draft_id);
    },
    /**
     * Deletes the draft, including one whose id never arrived: with the first idempotency key the
     * server returns that id or creates an empty draft.
     */
    remove: async (): Promise<void> => {
      const unheard = isUnheard && emptyWrap !== null ? () => makeEmpty(emptyWrap) : async () => null;
      const id = await (home ?? unheard()).catch(() => null);
      if (id !== null) await mailClient.remove({ email_id: id });
    },
  };
}
