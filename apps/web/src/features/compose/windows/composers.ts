// Entry points to composers: a new draft, a reply, a stored draft. The code that opens them is
// loaded on first use.
import type { OpenedMail } from '../../../crypto/mail/mail-opener.ts';
import { t } from '../../../lib/language.ts';
import { loadChunk } from '../../../lib/load-chunk.ts';
import { showToast } from '../../../ui/toasts.ts';
import type { DraftFile } from '../draft/draft-state.ts';
import type { Opening } from '../text/answers.ts';
import type { LoadDraft, ShortDraft } from './open-drafts.ts';

/** Loads the module that opens drafts, once. */
export const loadDraftWindows = () => loadChunk('letters', () => import('./open-drafts.ts'));

/** Shows why an operation failed. */
export function showFailure(error: unknown): void {
  showToast({ tone: 'danger', text: error instanceof Error ? error.message : t('Something failed') });
}

/**
 * Opens a composer for a new message or a reply. `under` puts it inline under a conversation.
 * `stored` are files that the server has; `files` are sealed and uploaded first.
 */
export function openComposer(
  opening: Partial<Opening> = {},
  under: string | null = null,
  stored: readonly DraftFile[] = [],
  files: readonly File[] = [],
): void {
  loadDraftWindows()
    .then(({ openDraftWindow }) => openDraftWindow(opening, under, stored, files))
    .catch(showFailure);
}

/**
 * Opens the user's own message again for these recipients, to be edited or, with `isSentAtOnce`,
 * sent automatically.
 */
export function sendAgain(content: OpenedMail, to: Opening['to'], isSentAtOnce: boolean): void {
  loadDraftWindows()
    .then(({ openAgain }) => openAgain(content, to, isSentAtOnce))
    .catch(showFailure);
}

/** Sends a message without opening it. Rejects with the reason. */
export const sendAtOnce = (mail: ShortDraft): Promise<void> =>
  loadDraftWindows().then(({ sendShort }) => sendShort(mail));

/**
 * Opens a stored draft in its last state; a draft that is already open is brought to the front.
 * `load` is called once no closed composer is still saving the draft.
 */
export function openDraft(id: string, load: LoadDraft): void {
  loadDraftWindows()
    .then(({ openStored }) => openStored(id, load))
    .catch(showFailure);
}
