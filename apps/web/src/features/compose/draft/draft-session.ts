// One letter from its first word to its sending: looks recipients up, saves as somebody types, sends, recalls. Saves run
// one at a time and always into the same draft; a send waits for the save under way, is retried under one idempotency
// key, and therefore never goes out twice (docs/spec-map.md 4, docs/interpretations.md#21 to #23, docs/interface.md#autosave).
// Files are draft-files.ts's.
import { CallError } from '@keyfold/contract/client';
import { keys } from '../../../crypto/key-client.ts';
import type { Person } from '../../../crypto/mail/letter.ts';
import { client } from '../../../session/calls/client.ts';
import { callErrorText } from '../../../session/calls/error-text.ts';
import { lettersClient } from '../../../session/calls/letters-client.ts';
import { findKeys, forgetKeys } from '../../../session/trust/recipient-keys.ts';
import { draftIdleMs, draftMaxWaitMs, draftRetryMs, keyRetryMs, localCopyMs } from '../../../timing.ts';
import { createFileRoom, type FileRoom } from './draft-files.ts';
import { type Held, holdLetter } from './draft-locks.ts';
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
import { toLetter } from './letter-body.ts';
import { createSender, isOffline } from './letter-sender.ts';
import { dropCopy, keepCopy } from './local-copies.ts';
import { answerFields, type SendTiming } from './send-door.ts';

export type DraftSession = {
  readonly state: () => DraftState;
  readonly subscribe: (listener: () => void) => () => void;
  readonly change: (fields: DraftFields) => void;
  /** Takes over what the editor made of the letter's beginning: nobody typed it, so nothing is saved for it. */
  readonly adopt: (fields: DraftFields) => void;
  readonly setPeople: (
    kind: AddresseeKind,
    people: readonly { readonly person: Person; readonly isInvalid: boolean }[],
  ) => void;
  /** Asks for the keys of people who are named already. */
  readonly lookUp: (people: readonly Addressee[]) => Promise<void>;
  readonly files: FileRoom;
  /** Keeps a sealed copy on this device at once, if something is unsaved. */
  readonly keepNow: () => Promise<unknown>;
  /** Stops saving, and drops the copy on this device: it is being discarded. `change` goes on. */
  readonly rest: () => void;
  /** Saves now. Rejects never: the state tells. */
  readonly saveNow: () => Promise<void>;
  /**
   * Sends: everybody in one message, or with `inTwoCopies` a sealed one and a plain one. Rejects with an error whose
   * message is for people; the letter stays as it is then. Once sent, it waits for `unsend` or `finish`. Gives the ids of
   * the mails.
   */
  readonly send: (timing: SendTiming, inTwoCopies?: boolean) => Promise<readonly string[]>;
  /** Makes it wait for a connection, kept on this device, or no longer; `reason` stands in the composer then. */
  readonly hold: (wait: Wait | null, reason?: string) => void;
  /** Recalls what was sent: it is a draft again, and the letter as it was. Rejects when it has gone out. */
  readonly unsend: () => Promise<void>;
  /** Lets go of a letter that was sent. */
  readonly finish: () => Promise<void>;
  /** Saves what is unsaved and lets go of the keys; an empty draft is removed. */
  readonly close: () => Promise<void>;
  /** Removes the draft from the server. */
  readonly discard: () => Promise<void>;
  /** Saves, and leaves the letter to another tab. */
  readonly yieldTo: () => Promise<void>;
};

const isGone = (error: unknown): boolean =>
  error instanceof CallError && (error.status === 404 || error.code === 'draft_refused');
/** The same may be taken a moment later: nobody answered, or the server was busy or broken. */
const mayPass = (error: unknown): boolean =>
  error instanceof CallError && (error.status === 0 || error.status === 429 || error.status >= 500);

/**
 * Starts a session on a letter whose message key the worker already holds under `initial.handle`. `held` is a lock on it
 * that was taken before: it is the session's now.
 */
export function createDraftSession(
  initial: DraftState,
  emptyWrap: Promise<Parameters<typeof lettersClient.sending.empty>[0]> | null,
  held: { readonly id: string; readonly lock: Held } | null = null,
): DraftSession {
  let state = initial;
  let idleTimer: ReturnType<typeof setTimeout> | undefined;
  let maxTimer: ReturnType<typeof setTimeout> | undefined;
  let copyTimer: ReturnType<typeof setTimeout> | undefined;
  let saving: Promise<void> = Promise.resolve();
  let copying: Promise<boolean> = Promise.resolve(false);
  let home: Promise<string> | null = initial.draftId === null ? null : Promise.resolve(initial.draftId);
  let mayBeMade = false;
  let isClosed = false;
  const locks = new Map<string, Promise<Held | null>>();
  const listeners = new Set<() => void>();

  const set = (change: Partial<DraftState>): void => {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  };

  /** Other tabs leave it alone while it is open here. */
  const lock = (id: string): void => {
    if (!locks.has(id)) locks.set(id, holdLetter(id));
  };
  const unlock = (): void => {
    for (const held of locks.values()) void held.then(one => one?.release());
    locks.clear();
  };
  if (held !== null) locks.set(held.id, Promise.resolve(held.lock));
  lock(initial.handle);
  if (initial.draftId !== null && !initial.isElsewhere) lock(initial.draftId);

  const adoptHome = (draftId: string): void => {
    home = Promise.resolve(draftId);
    lock(draftId);
    set({ draftId });
  };

  /** Writes run one after the other, so that an old copy never comes after the removal of it. */
  const copyNow = (): Promise<boolean> => {
    clearTimeout(copyTimer);
    copying = copying.then(() => (isClosed || state.isElsewhere ? false : keepCopy(state)));
    return copying;
  };
  const forgetCopy = (): void => {
    clearTimeout(copyTimer);
    copying = copying.then(() => dropCopy(state.handle)).then(() => false);
  };

  const touched = (): void => {
    if (isClosed || state.isElsewhere) return;
    if (state.save.kind !== 'saving') set({ save: { kind: 'changed' } });
    clearTimeout(idleTimer);
    clearTimeout(copyTimer);
    copyTimer = setTimeout(() => void copyNow(), localCopyMs);
    idleTimer = setTimeout(() => void saveNow(), draftIdleMs);
    maxTimer ??= setTimeout(() => void saveNow(), draftMaxWaitMs);
  };

  /**
   * Until a draft is known every try to make one is the same to the server, which may have made it and not been heard: also a try
   * after the page was loaded anew, since a copy on this device keeps the letter's handle. Once another device has saved that draft
   * the server leaves it alone and makes one of our own.
   */
  const underFirstKey = () => {
    mayBeMade = true;
    return { headers: { 'idempotency-key': initial.handle } };
  };

  /** The draft's id; the first caller makes an empty draft, so that a file has a home. */
  const draftHome = (): Promise<string> => {
    home ??= (async () => {
      if (emptyWrap === null) throw new Error('Missing second stage key bytes');
      const { data } = await lettersClient.sending.empty(await emptyWrap, underFirstKey());
      mayBeMade = false;
      lock(data.draft_id);
      set({ draftId: data.draft_id });
      return data.draft_id;
    })();
    home.catch(() => {
      home = null;
    });
    return home;
  };

  const postDraft = async (saved: DraftState): Promise<string> => {
    const sealed = await keys().sealDraft(saved.handle, toLetter(saved));
    const draftId = home === null ? undefined : await home;
    const request = { used_address: saved.from.address, ...answerFields(saved), ...sealed };
    const make = () => lettersClient.sending.draft(request, underFirstKey());
    const { data } =
      draftId === undefined
        ? await make()
        : await lettersClient.sending.draft({ ...request, draft_id: draftId }).catch(error => {
            // Somebody removed the draft elsewhere: what is written here goes into a new one.
            if (!isGone(error)) throw error;
            return make();
          });
    mayBeMade = false;
    return data.draft_id;
  };

  const save = async (): Promise<void> => {
    const saved = state;
    set({ save: { kind: 'saving' } });
    try {
      adoptHome(await postDraft(saved));
      set({ save: { kind: 'saved', at: new Date() } });
      if (!sameLetter(saved, state)) touched();
      else if (state.wait === null) forgetCopy();
      else void copyNow();
    } catch (error) {
      const isKept = await copyNow();
      set({ save: { kind: 'failed', reason: isOffline(error) ? 'offline' : 'error', isKept } });
      clearTimeout(idleTimer);
      if (mayPass(error) && !isClosed) idleTimer = setTimeout(() => void saveNow(), draftRetryMs);
    }
  };

  const saveNow = (): Promise<void> => {
    clearTimeout(idleTimer);
    clearTimeout(maxTimer);
    maxTimer = undefined;
    // What is being sent takes its draft along: a save that came after it would make another one.
    const isIdle = () =>
      isClosed || state.isElsewhere || state.isSending || (isEmpty(state) && state.draftId === null);
    saving = saving.then(() => (isIdle() ? undefined : save()));
    return saving;
  };

  let lookUpTimer: ReturnType<typeof setTimeout> | undefined;
  let lookUpError: string | null = null;
  const lookUp = async (people: readonly Addressee[], fresh = false): Promise<void> => {
    const asked = people.filter(({ isInvalid }) => !isInvalid).map(({ person }) => person.address);
    if (asked.length === 0) return;
    const found = new Map((await findKeys(asked, fresh)).map((one, index) => [asked[index], one]));
    const withKeys = (list: readonly Addressee[]) =>
      list.map(one => ({ ...one, keys: found.get(one.person.address) ?? one.keys }));
    set({ to: withKeys(state.to), cc: withKeys(state.cc), bcc: withKeys(state.bcc) });
  };

  /** Asks for the keys that are missing, and again while that fails; why is said, unless there is no connection. */
  const lookUpUntilKnown = (): void => {
    clearTimeout(lookUpTimer);
    const missing = addresseesOf(state).filter(one => one.keys === null);
    lookUp(missing).then(
      () => {
        if (lookUpError !== null && state.sendError === lookUpError) set({ sendError: null });
        lookUpError = null;
      },
      error => {
        if (isClosed) return;
        lookUpError = isOffline(error) ? null : callErrorText(error);
        if (lookUpError !== null) set({ sendError: lookUpError });
        lookUpTimer = setTimeout(lookUpUntilKnown, keyRetryMs);
      },
    );
  };

  const files = createFileRoom({ state: () => state, set, touched, draftHome });

  const sender = createSender({
    state: () => state,
    draftId: async () => (home === null ? undefined : await home),
    onDraftTaken: () => {
      home = null;
    },
  });

  const send = async (timing: SendTiming, inTwoCopies = false): Promise<readonly string[]> => {
    const obstacle = findSendObstacle(state);
    if (obstacle !== null) throw new Error(obstacle);
    set({ isSending: true, sendError: null });
    clearTimeout(idleTimer);
    clearTimeout(maxTimer);
    maxTimer = undefined;
    try {
      await saving;
      // A draft may have been made that nobody heard of; it must go with the letter.
      if (mayBeMade) await save();
      const { wait } = state;
      if (wait !== null) {
        set({ wait: { ...wait, wasTried: true } });
        await copyNow();
      }
      const sentIds = await sender.send(timing, inTwoCopies, wait?.sendKeys ?? null);
      set({ wait: null });
      isClosed = true;
      forgetCopy();
      return sentIds;
    } catch (error) {
      const isKeyTrouble =
        error instanceof CallError &&
        (error.code === 'recipient_has_keys' || error.code === 'recipient_key_changed');
      if (isKeyTrouble) {
        forgetKeys(addresseesOf(state).map(({ person }) => person.address));
        await lookUp(addresseesOf(state)).catch(() => undefined);
      }
      const goesOnWaiting = state.wait !== null && isOffline(error);
      set({
        isSending: false,
        ...(goesOnWaiting ? {} : { wait: null, sendError: callErrorText(error) }),
      });
      void copyNow();
      // Nothing was saved while it was being sent; what may have gone out makes no other draft by itself.
      const isRefused = error instanceof CallError && error.status >= 400 && error.status < 500;
      if (isRefused && (state.save.kind === 'changed' || state.save.kind === 'failed')) touched();
      throw error;
    }
  };

  const unsend = async (): Promise<void> => {
    const draftId = await sender.recall();
    isClosed = false;
    adoptHome(draftId);
    set({ isSending: false, sendError: null });
    // What was sent knows nothing of Bcc; the draft has to.
    await saveNow();
  };

  /** The draft that may have been made without our hearing of it: under the first key the server names it, or an empty one. */
  const findUnheard = async (): Promise<string | null> => {
    if (!mayBeMade || emptyWrap === null) return null;
    return (await lettersClient.sending.empty(await emptyWrap, underFirstKey())).data.draft_id;
  };

  const removeDraft = async (): Promise<void> => {
    const draftId = await (home ?? findUnheard()).catch(() => null);
    if (draftId !== null) await client.mail.remove({ email_id: draftId });
  };

  const end = async (keepsCopy = false): Promise<void> => {
    clearTimeout(idleTimer);
    clearTimeout(maxTimer);
    clearTimeout(copyTimer);
    files.close();
    isClosed = true;
    if (!keepsCopy) forgetCopy();
    await saving;
    await copying;
    unlock();
    await keys().closeDraft(state.handle);
  };

  return {
    state: () => state,
    subscribe: listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    change: fields => {
      set(fields);
      touched();
    },
    adopt: fields => set(fields),
    setPeople: (kind, people) => {
      const before = new Map(state[kind].map(one => [one.person.address, one.keys]));
      const next = people.map(one => ({ ...one, keys: before.get(one.person.address) ?? null }));
      set({ [kind]: next });
      touched();
      lookUpUntilKnown();
    },
    lookUp,
    files,
    keepNow: async () => {
      if (isClosed || (state.wait === null && (state.save.kind === 'saved' || state.save.kind === 'new')))
        return;
      void copyNow();
    },
    rest: () => {
      clearTimeout(lookUpTimer);
      clearTimeout(idleTimer);
      clearTimeout(maxTimer);
      maxTimer = undefined;
      set({ wait: null });
      forgetCopy();
    },
    saveNow,
    hold: (wait, reason) => {
      set({ wait, sendError: reason ?? null });
      if (wait === null && state.save.kind === 'saved') forgetCopy();
      else void copyNow();
    },
    send,
    unsend,
    finish: () => end(),
    close: async () => {
      if (state.isElsewhere) return end();
      if (isEmpty(state)) {
        await end();
        await removeDraft().catch(() => undefined);
        return;
      }
      if (state.save.kind !== 'saved' && state.save.kind !== 'new') {
        // A reload before the server has answered loses nothing.
        void copyNow();
        await saveNow();
      }
      await end(state.save.kind === 'failed');
    },
    discard: async () => {
      await end();
      await removeDraft();
    },
    yieldTo: async () => {
      if (state.save.kind !== 'saved' && state.save.kind !== 'new') await saveNow();
      set({ isElsewhere: true });
      clearTimeout(idleTimer);
      clearTimeout(copyTimer);
      unlock();
    },
  };
}

const sameLetter = (a: DraftState, b: DraftState): boolean =>
  JSON.stringify(toLetter(a)) === JSON.stringify(toLetter(b));
