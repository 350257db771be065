// The doors to letters: a new one, an answer, a stored draft. What opens them is fetched at the first letter.
import type { OpenedMail } from '../../../crypto/mail/mail-opener.ts';
import { t } from '../../../lib/language.ts';
import { loadChunk } from '../../../lib/load-chunk.ts';
import { showToast } from '../../../ui/toasts.ts';
import type { DraftFile } from '../draft/draft-state.ts';
import type { Opening } from '../text/answers.ts';
import type { LoadDraft, ShortDraft } from './open-drafts.ts';

/** The part that opens letters, fetched once. */
export const loadDraftWindows = () => loadChunk('letters', () => import('./open-drafts.ts'));

/** Says why something failed. */
export function showFailure(error: unknown): void {
  showToast({ tone: 'danger', text: error instanceof Error ? error.message : t('Something failed') });
}

/**
 * Opens a composer for a new letter or an answer. `under` puts it inline under a conversation. `stored` are files that
 * the server has, `files` are sealed and uploaded first.
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

/** Opens one's own letter once more for these people, to be changed or, with `isSentAtOnce`, to go out by itself. */
export function sendAgain(content: OpenedMail, to: Opening['to'], isSentAtOnce: boolean): void {
  loadDraftWindows()
    .then(({ openAgain }) => openAgain(content, to, isSentAtOnce))
    .catch(showFailure);
}

/** Sends a letter without opening it. Rejects with the reason. */
export const sendAtOnce = (mail: ShortDraft): Promise<void> =>
  loadDraftWindows().then(({ sendShort }) => sendShort(mail));

/**
 * Opens a stored draft where it was left; a draft that is open already is brought to the front. `load` is called once no
 * closed composer is saving the draft any more.
 */
export function openDraft(id: string, load: LoadDraft): void {
  loadDraftWindows()
    .then(({ openStored }) => openStored(id, load))
    .catch(showFailure);
}
