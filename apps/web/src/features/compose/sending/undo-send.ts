/** Sends a message and takes it back while its toast is there; a scheduled one is taken back in the same way. */
import { CallError } from '@keyfold/contract/client';
import { t } from '../../../lib/language.ts';
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

/** What the actions work on. */
export type ActionNeeds = {
  readonly handle: string;
  readonly session: DraftSession;
  /** The composer as it is drawn now. */
  readonly latest: () => OpenComposer;
  /** Fetches lists and counts again. */
  readonly refresh: () => void;
};

/** A toast that can take something back while it is there; then `onKept`. Returns what takes it back without the button. */
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
  // The button of a toast takes the toast away before it acts.
  afterToast(toast, () => queueMicrotask(() => !isBack && onKept()));
  return () => actOnToast(toast);
}

/** Takes a sent message back, and opens its composer as it was. */
async function recall({ session, refresh }: ActionNeeds, sent: OpenComposer): Promise<void> {
  try {
    await session.recall();
    restoreComposer(sent);
  } catch (error) {
    void session.finish();
    const isGone = error instanceof CallError && error.status === 409;
    showFailure(isGone ? new Error(t('It was sent already')) : error);
  }
  refresh();
}

/** Sends at once or at a moment; the composer shows why that failed. */
export async function send(needs: ActionNeeds, { copies, at }: SendRequest): Promise<void> {
  const { handle, session, latest, refresh } = needs;
  const undoSeconds = at === null ? undoSendSeconds() : 0;
  try {
    const [id] = await session.send({ undoSeconds, sendAt: at?.toISOString() }, copies === 2);
    if (at !== null && id !== undefined) keepSchedule(id, session.state(), at).catch(showFailure);
  } catch {
    // The composer shows why.
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
    showToast({ tone: 'success', text: t('Sent') });
    done();
  } else {
    showUndoToast(t('Sending…'), undoSeconds * SECOND_MS, takeBack, () => {
      showToast({ tone: 'success', text: t('Sent') });
      done();
      refresh();
    });
  }
}
