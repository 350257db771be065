/**
 * Saves a draft while the user types, and keeps sealed copies on this device until the server has
 * the same content. Saves run one at a time, and so do copies.
 */
import { CallError } from '@keyfold/contract/client';
import { DRAFT_IDLE_MS, DRAFT_MAX_WAIT_MS, DRAFT_RETRY_MS, LOCAL_COPY_MS } from '../../../timing.ts';
import type { DraftHome } from './draft-home.ts';
import { type DraftEvent, isActive, isOver } from './draft-machine.ts';
import { isOffline } from './draft-sender.ts';
import { type DraftState, isEmpty } from './draft-state.ts';
import { dropCopy, keepCopy } from './local-copies.ts';
import { toOutgoingMessage } from './message-body.ts';

type Timer = ReturnType<typeof setTimeout> | undefined;

/** Returns whether a retry may succeed: there was no response, or the server was busy or failed. */
const mayPass = (error: unknown): boolean =>
  error instanceof CallError && (error.status === 0 || error.status === 429 || error.status >= 500);

const sameMessage = (a: DraftState, b: DraftState): boolean =>
  JSON.stringify(toOutgoingMessage(a)) === JSON.stringify(toOutgoingMessage(b));

/** Local copies of one draft. */
function createCopies(state: () => DraftState) {
  let timer: Timer;
  let copying: Promise<boolean> = Promise.resolve(false);
  const stop = (): void => clearTimeout(timer);
  /** Writes are serialized, so that an old copy is never written after its removal. */
  const keep = (): Promise<boolean> => {
    stop();
    copying = copying.then(() => (isActive(state().phase) ? keepCopy(state()) : false));
    return copying;
  };
  return {
    keep,
    stop,
    schedule: () => {
      stop();
      timer = setTimeout(() => void keep(), LOCAL_COPY_MS);
    },
    forget: () => {
      stop();
      copying = copying.then(() => dropCopy(state().handle)).then(() => false);
    },
    settled: () => copying,
  };
}

type SaverNeeds = {
  readonly state: () => DraftState;
  readonly dispatch: (event: DraftEvent) => void;
  readonly home: DraftHome;
};

export type DraftSaver = ReturnType<typeof createSaver>;

export function createSaver({ state, dispatch, home }: SaverNeeds) {
  const copies = createCopies(state);
  let idleTimer: Timer;
  let maxTimer: Timer;
  let saving: Promise<void> = Promise.resolve();

  const stopTimers = (): void => {
    clearTimeout(idleTimer);
    clearTimeout(maxTimer);
    maxTimer = undefined;
  };

  const touched = (): void => {
    if (!isActive(state().phase)) return;
    dispatch({ kind: 'touched' });
    clearTimeout(idleTimer);
    copies.schedule();
    idleTimer = setTimeout(() => void saveNow(), DRAFT_IDLE_MS);
    maxTimer ??= setTimeout(() => void saveNow(), DRAFT_MAX_WAIT_MS);
  };

  const save = async (): Promise<void> => {
    const saved = state();
    dispatch({ kind: 'saveBegun' });
    try {
      await home.post(saved);
      dispatch({ kind: 'saved', at: new Date() });
      if (!sameMessage(saved, state())) touched();
      else if (state().wait === null) copies.forget();
      else void copies.keep();
    } catch (error) {
      const isKept = await copies.keep();
      dispatch({ kind: 'saveFailed', reason: isOffline(error) ? 'offline' : 'error', isKept });
      clearTimeout(idleTimer);
      if (mayPass(error) && !isOver(state().phase))
        idleTimer = setTimeout(() => void saveNow(), DRAFT_RETRY_MS);
    }
  };

  // Sending consumes the draft: a save after it would create another one.
  const isIdle = (): boolean => state().phase !== 'writing' || (isEmpty(state()) && state().draftId === null);

  function saveNow(): Promise<void> {
    stopTimers();
    saving = saving.then(() => (isIdle() ? undefined : save()));
    return saving;
  }

  return {
    /** Called after a change: schedules a local copy and a save. */
    touched,
    /** Saves now. Never rejects: the state has the outcome. */
    saveNow,
    keepCopy: copies.keep,
    forgetCopy: copies.forget,
    /** Stops automatic saves. */
    stopTimers,
    /** Waits for the save in progress, so that a send can follow it. */
    settle: async (): Promise<void> => {
      stopTimers();
      await saving;
      // A draft may exist whose id never arrived; it must be consumed by the message.
      if (home.mayBeUnheard()) await save();
    },
    stopAll: () => {
      stopTimers();
      copies.stop();
    },
    /** Resolves when neither a save nor a copy is in progress. */
    settled: async (): Promise<void> => {
      await saving;
      await copies.settled();
    },
  };
}
