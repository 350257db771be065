/**
 * The life of one draft from the first edit to sending: connects the states of draft-machine.ts
 * with their effects. Saves run one at a time and always into the same draft. A send waits for the
 * save in progress and is retried under one idempotency key, and therefore never goes out twice
 * (docs/interpretations.md#21 to #23, docs/interface.md#autosave).
 */
import { CallError } from '@keyfold/contract/client';
import { keys } from '../../../crypto/key-client.ts';
import { callErrorText } from '../../../session/calls/error-text.ts';
import { forgetKeys } from '../../../session/trust/recipient-keys.ts';
import { createFileRoom, type FileRoom } from './draft-files.ts';
import { createDraftHome, type DraftHome, type EmptyWrap } from './draft-home.ts';
import { type Held, holdDraft } from './draft-locks.ts';
import { type DraftEvent, isOver, isStored, reduceDraft, type TypedAddressee } from './draft-machine.ts';
import { createSaver, type DraftSaver } from './draft-saver.ts';
import { createSender, isOffline } from './draft-sender.ts';
import {
  type Addressee,
  type AddresseeKind,
  addresseesOf,
  type DraftFields,
  type DraftState,
  findSendObstacle,
  isEmpty,
  type Wait,
} from './draft-state.ts';
import { createKeyLookUp } from './key-look-up.ts';
import type { SendTiming } from './send-request.ts';

export type DraftSession = {
  readonly state: () => DraftState;
  readonly subscribe: (listener: () => void) => () => void;
  readonly change: (fields: DraftFields) => void;
  /**
   * Takes over the editor's normalized form of the initial content. The user typed nothing, so
   * nothing is saved.
   */
  readonly adopt: (fields: DraftFields) => void;
  readonly setPeople: (kind: AddresseeKind, people: readonly TypedAddressee[]) => void;
  /** Looks up the keys of recipients that are already in the draft. */
  readonly lookUp: (people: readonly Addressee[]) => Promise<void>;
  readonly files: FileRoom;
  /** Stores a sealed copy on this device immediately if anything is unsaved. */
  readonly keepNow: () => Promise<unknown>;
  /**
   * Stops saving and drops the copy on this device, because the draft is being discarded. `change`
   * still works.
   */
  readonly rest: () => void;
  /** Saves now. Never rejects: the state has the outcome. */
  readonly saveNow: () => Promise<void>;
  /**
   * Sends one message to all recipients, or with `inTwoCopies` a sealed one and a plain one.
   * Rejects with an error whose message can be shown to the user; the draft is then unchanged. Once
   * sent, the session waits for `recall` or `finish`. Returns the ids of the messages.
   */
  readonly send: (timing: SendTiming, inTwoCopies?: boolean) => Promise<readonly string[]>;
  /**
   * Makes the draft wait for a connection, stored on this device, or stops waiting; the composer
   * then shows `reason`.
   */
  readonly hold: (wait: Wait | null, reason?: string) => void;
  /** Recalls the sent message and restores it as a draft. Rejects if it has left. */
  readonly recall: () => Promise<void>;
  /** Releases a sent message. */
  readonly finish: () => Promise<void>;
  /** Saves unsaved changes and releases the keys; an empty draft is deleted. */
  readonly close: () => Promise<void>;
  /** Deletes the draft from the server. */
  readonly discard: () => Promise<void>;
  /** Saves, and hands the draft over to another tab. */
  readonly yieldTo: () => Promise<void>;
};

type Store = {
  readonly state: () => DraftState;
  readonly dispatch: (event: DraftEvent) => void;
  readonly subscribe: DraftSession['subscribe'];
};

function createStore(initial: DraftState): Store {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    state: () => state,
    dispatch: event => {
      const next = reduceDraft(state, event);
      if (next === state) return;
      state = next;
      for (const listener of listeners) listener();
    },
    subscribe: listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/**
 * Holds locks under every id of one draft, so that other tabs do not edit it while it is open here.
 */
function createLocks() {
  const locks = new Map<string, Promise<Held | null>>();
  return {
    keep: (id: string, held: Held) => locks.set(id, Promise.resolve(held)),
    hold: (id: string) => {
      if (!locks.has(id)) locks.set(id, holdDraft(id));
    },
    release: () => {
      for (const held of locks.values()) void held.then(one => one?.release());
      locks.clear();
    },
  };
}

type SendingNeeds = Store & {
  readonly home: DraftHome;
  readonly saver: DraftSaver;
  readonly lookUp: DraftSession['lookUp'];
};

/** Sends a draft after its last save, and recalls it. */
function createSending({ state, dispatch, home, saver, lookUp }: SendingNeeds) {
  const sender = createSender({ state, draftId: home.find, onDraftTaken: home.leave });

  const fail = async (error: unknown): Promise<void> => {
    const isKeyTrouble =
      error instanceof CallError &&
      (error.code === 'recipient_has_keys' || error.code === 'recipient_key_changed');
    if (isKeyTrouble) {
      forgetKeys(addresseesOf(state()).map(({ person }) => person.address));
      await lookUp(addresseesOf(state())).catch(() => undefined);
    }
    dispatch({ kind: 'sendFailed', text: callErrorText(error), isOffline: isOffline(error) });
    void saver.keepCopy();
    // Nothing was saved during the send; a message that may have been sent must not create another
    // draft automatically.
    const isRefused = error instanceof CallError && error.status >= 400 && error.status < 500;
    const { kind } = state().save;
    if (isRefused && (kind === 'changed' || kind === 'failed')) saver.touched();
  };

  const send: DraftSession['send'] = async (timing, inTwoCopies = false) => {
    const obstacle = findSendObstacle(state());
    if (obstacle !== null) throw new Error(obstacle);
    dispatch({ kind: 'sendBegun' });
    try {
      await saver.settle();
      const { wait } = state();
      if (wait !== null) {
        dispatch({ kind: 'sendTried' });
        await saver.keepCopy();
      }
      const sentIds = await sender.send(timing, inTwoCopies, wait?.sendKeys ?? null);
      dispatch({ kind: 'sent' });
      saver.forgetCopy();
      return sentIds;
    } catch (error) {
      await fail(error);
      throw error;
    }
  };

  const recall = async (): Promise<void> => {
    const draftId = await sender.recall();
    dispatch({ kind: 'recalled' });
    home.adopt(draftId);
    // The sent message has no Bcc field; the draft needs it.
    await saver.saveNow();
  };

  return { send, recall };
}

/**
 * Starts a session on a draft whose message key the worker already holds under `initial.handle`.
 * `held` is a lock on the draft that was acquired before; the session takes it over.
 */
export function createDraftSession(
  initial: DraftState,
  emptyWrap: EmptyWrap | null,
  held: { readonly id: string; readonly lock: Held } | null = null,
): DraftSession {
  const { handle, draftId } = initial;
  const store = createStore(initial);
  const { state, dispatch, subscribe } = store;
  const locks = createLocks();
  if (held !== null) locks.keep(held.id, held.lock);
  locks.hold(handle);
  if (draftId !== null && initial.phase !== 'elsewhere') locks.hold(draftId);

  const onStored = (id: string): void => {
    locks.hold(id);
    dispatch({ kind: 'stored', draftId: id });
  };
  const home = createDraftHome({ handle, draftId, emptyWrap, onStored });
  const saver = createSaver({ state, dispatch, home });
  const { lookUp, lookUpMissing, stop: stopLookUps } = createKeyLookUp(state, dispatch);
  const files = createFileRoom({
    state,
    setFiles: list => dispatch({ kind: 'filesChanged', files: list }),
    touched: saver.touched,
    draftHome: home.ensure,
  });
  const { send, recall } = createSending({ ...store, home, saver, lookUp });

  const end = async (keepsCopy = false): Promise<void> => {
    saver.stopAll();
    files.close();
    dispatch({ kind: 'closed' });
    if (!keepsCopy) saver.forgetCopy();
    await saver.settled();
    locks.release();
    await keys().closeDraft(handle);
  };

  return {
    state,
    subscribe,
    change: fields => {
      dispatch({ kind: 'written', fields });
      saver.touched();
    },
    adopt: fields => dispatch({ kind: 'adopted', fields }),
    setPeople: (field, people) => {
      dispatch({ kind: 'addressed', field, people });
      saver.touched();
      lookUpMissing();
    },
    lookUp,
    files,
    keepNow: async () => {
      if (isOver(state().phase) || (state().wait === null && isStored(state()))) return;
      void saver.keepCopy();
    },
    rest: () => {
      stopLookUps();
      saver.stopTimers();
      dispatch({ kind: 'waitEnded' });
      saver.forgetCopy();
    },
    saveNow: saver.saveNow,
    hold: (wait, reason) => {
      dispatch({ kind: 'held', wait, reason: reason ?? null });
      if (wait === null && state().save.kind === 'saved') saver.forgetCopy();
      else void saver.keepCopy();
    },
    send,
    recall,
    finish: () => end(),
    close: async () => {
      if (state().phase === 'elsewhere') return end();
      if (isEmpty(state())) {
        await end();
        await home.remove().catch(() => undefined);
        return;
      }
      if (!isStored(state())) {
        // Prevents data loss if the page is reloaded before the server has responded.
        void saver.keepCopy();
        await saver.saveNow();
      }
      await end(state().save.kind === 'failed');
    },
    discard: async () => {
      await end();
      await home.remove();
    },
    yieldTo: async () => {
      if (!isStored(state())) await saver.saveNow();
      dispatch({ kind: 'yielded' });
      saver.stopAll();
      locks.release();
    },
  };
}
