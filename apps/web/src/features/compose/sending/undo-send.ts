/**
 * Sends a message and offers Undo while its toast is visible; a scheduled message is recalled in
 * the same way.
 */
import { CallError } from '@keyfold/contract/client';
import { t, tAs } from '../../../lib/language.ts';
import { actOnToast, afterToast, showToast } from '../../../ui/toasts.ts';
import type { DraftSession } from '../draft/draft-session.ts';
import { addresseesOf } from '../draft/draft-state.ts';
import { keepSchedule } from '../draft/scheduled-record.ts';
import type { SendRequest } from '../draft/send-request.ts';
import { rememberRecipients } from '../recipients/people.ts';
import { dropComposer, type OpenComposer, restoreComposer } from '../windows/composer-list.ts';
import { showFailure } from '../windows/composers.ts';
import { whenWords } from './schedule.ts';
import { undoSendSeconds } from './sending-settings.ts';

const SECOND_MS = 1000;

/** Dependencies of the actions. */
export type ActionNeeds = {
  readonly handle: string;
  readonly session: DraftSession;
  /** Returns the composer as currently rendered. */
  readonly latest: () => OpenComposer;
  /** Refetches lists and counts. */
  readonly refresh: () => void;
};

/**
 * Shows a toast with an Undo button; calls `onKept` once it closes without Undo. Returns a function
 * that undoes without the button.
 */
export function showUndoToast(
  text: string,
  durationMs: number | null,
  onUndo: () => void,
  onKept: () => void,
): () => void {
  let isBack = false;
  const onAct = () => {
    isBack = true;
    onUndo();
  };
  const action = { label: t('Undo'), onAct };
  const toast = showToast({
    tone: 'success',
    text,
    action,
    ...(durationMs === null ? {} : { durationMs }),
  });
  // The button of a toast closes the toast before it acts.
  afterToast(toast, () => queueMicrotask(() => !isBack && onKept()));
  return () => actOnToast(toast);
}

/** Recalls a sent message and reopens its composer in its former state. */
async function recall({ session, refresh }: ActionNeeds, sent: OpenComposer): Promise<void> {
  try {
    await session.recall();
    restoreComposer(sent);
  } catch (error) {
    void session.finish();
    const isGone = error instanceof CallError && error.status === 409;
    showFailure(isGone ? new Error(t('Too late to undo. The message has already been sent.')) : error);
  }
  refresh();
}

/** Sends immediately or at a given time; on failure the composer shows the reason. */
export async function send(needs: ActionNeeds, { copies, at }: SendRequest): Promise<void> {
  const { handle, session, latest, refresh } = needs;
  const undoSeconds = at === null ? undoSendSeconds() : 0;
  try {
    const [id] = await session.send({ undoSeconds, sendAt: at?.toISOString() }, copies === 2);
    if (at !== null && id !== undefined) keepSchedule(id, session.state(), at).catch(showFailure);
  } catch {
    // The composer shows the reason.
    return;
  }
  const sent = latest();
  dropComposer(handle);
  refresh();
  rememberRecipients(addresseesOf(session.state()).map(({ person }) => person)).catch(() => undefined);
  const takeBack = () => void recall(needs, sent);
  const done = () => void session.finish();
  if (at !== null) {
    showUndoToast(t('Scheduled for {when}', { when: whenWords(at) }), null, takeBack, done);
  } else if (undoSeconds === 0) {
    showToast({ tone: 'success', text: tAs('done', 'Sent') });
    done();
  } else {
    showUndoToast(t('Sending…'), undoSeconds * SECOND_MS, takeBack, () => {
      showToast({ tone: 'success', text: tAs('done', 'Sent') });
      done();
      refresh();
    });
  }
}
