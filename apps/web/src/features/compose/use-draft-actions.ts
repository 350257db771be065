/** Actions of a composer's buttons on its session. Sending and undo are in sending/undo-send.ts. */
import { ATTACHMENT_MAX_BYTES } from '@keyfold/contract/limits';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { t } from '../../lib/language.ts';
import { formatSize } from '../../lib/sizes.ts';
import { askAllAgain } from '../../session/news/mail-news.ts';
import { showToast } from '../../ui/toasts.ts';
import type { ComposerActions } from './Composer.tsx';
import type { DraftSession } from './draft/draft-session.ts';
import { type Addressee, filesInUse } from './draft/draft-state.ts';
import type { SendRequest } from './draft/send-request.ts';
import { type ActionNeeds, send, showUndoToast } from './sending/undo-send.ts';
import {
  changeComposer,
  dropComposer,
  noteClosing,
  noteDiscarded,
  type OpenComposer,
  restoreComposer,
} from './windows/composer-list.ts';
import { showFailure } from './windows/composers.ts';

export type DraftActions = ComposerActions & {
  /** The message was sent as an invitation; its draft is no longer needed. */
  onInvited: () => void;
  /** Sends immediately or at a given time; on failure the composer shows the reason. */
  send: (request: SendRequest) => Promise<void>;
  /** Adds files if they fit, as attachments or, with a Content-ID, as an inline picture. */
  takeFiles: (files: readonly File[], contentId?: string) => void;
};

const asTyped = ({ person, isInvalid }: Addressee) => ({ person, isInvalid });

/** Returns the total size of all files in a draft, in bytes. */
export const totalBytes = (files: readonly { readonly sizeBytes: number }[]): number =>
  files.reduce((sum, file) => sum + file.sizeBytes, 0);

/** Removes the composer from the screen while its session ends. */
async function leave({ handle, session, refresh }: ActionNeeds, work: () => Promise<void>): Promise<void> {
  dropComposer(handle);
  const done = work();
  noteClosing(session, done);
  await done.catch(showFailure);
  refresh();
}

/** The draft is deleted when the toast closes; until then it can be restored completely. */
function discard(needs: ActionNeeds): void {
  const { handle, session, latest } = needs;
  const discarded = latest();
  dropComposer(handle);
  session.rest();
  const takeBack = showUndoToast(
    t('Draft discarded'),
    null,
    () => {
      forget();
      restoreComposer(discarded);
      session.change({});
    },
    () => {
      forget();
      void leave(needs, session.discard);
    },
  );
  const forget = noteDiscarded(session, takeBack);
}

/**
 * Closing a waiting message minimizes it, and it keeps waiting; closing it while minimized
 * withdraws the send.
 */
function close(needs: ActionNeeds): void {
  const { handle, session, latest } = needs;
  if (session.state().wait === null) void leave(needs, session.close);
  else if (latest().mode !== 'minimized') changeComposer(handle, { mode: 'minimized', under: null });
  else {
    session.hold(null);
    void leave(needs, session.close);
    showToast({ tone: 'warning', text: t('Sending canceled. The message is in Drafts.') });
  }
}

function takeFiles(session: DraftSession, files: readonly File[], contentId?: string): void {
  const total = totalBytes(filesInUse(session.state())) + files.reduce((sum, file) => sum + file.size, 0);
  if (total <= ATTACHMENT_MAX_BYTES) {
    session.files.add(files, contentId);
    return;
  }
  const sizes = { total: formatSize(total), limit: formatSize(ATTACHMENT_MAX_BYTES) };
  showToast({
    tone: 'danger',
    text: t('Couldn’t attach the files. Attachments would total {total}, but the limit is {limit}.', sizes),
  });
}

const recipientActions = (
  session: DraftSession,
): Pick<ComposerActions, 'onRecipientsAdd' | 'onRecipientRemove'> => ({
  onRecipientsAdd: (field, typed) => {
    const added = typed.map(({ name, address, isValid }) => ({
      person: { name, address },
      isInvalid: !isValid,
    }));
    const before = session.state()[field].map(asTyped);
    const known = new Set(before.map(one => one.person.address.toLowerCase()));
    const fresh = added.filter(one => !known.has(one.person.address.toLowerCase()));
    session.setPeople(field, [...before, ...fresh]);
  },
  onRecipientRemove: (field, index) => {
    const left = session.state()[field].filter((_, at) => at !== index);
    session.setPeople(field, left.map(asTyped));
  },
});

/** Returns the actions of a composer on its session. */
export function useDraftActions(composer: OpenComposer): DraftActions {
  const { handle, session } = composer;
  const latest = useRef(composer);
  latest.current = composer;
  const cache = useQueryClient();
  return useMemo(() => {
    const refresh = () => void askAllAgain(cache);
    const needs: ActionNeeds = { handle, session, refresh, latest: () => latest.current };
    const take: DraftActions['takeFiles'] = (files, contentId) => takeFiles(session, files, contentId);
    return {
      send: request => send(needs, request),
      takeFiles: take,
      ...recipientActions(session),
      onShowCcBcc: () => changeComposer(handle, { showsCcBcc: true }),
      onSubjectChange: subject => session.change({ subject }),
      onFiles: take,
      onFileRemove: id => session.files.remove(id),
      onFileRetry: id => session.files.retry(id),
      onModeChange: mode =>
        changeComposer(handle, {
          mode,
          wantsFocus: mode !== 'minimized',
          ...(mode === 'inline' ? {} : { under: null }),
        }),
      onFocusTaken: () => changeComposer(handle, { wantsFocus: false }),
      onClose: () => close(needs),
      onDiscard: () => discard(needs),
      onInvited: () => void leave(needs, session.discard),
      onSend: () => void send(needs, { copies: 1, at: null }),
      onSendTwoCopies: () => void send(needs, { copies: 2, at: null }),
      onRetrySave: () => void session.saveNow(),
    };
  }, [cache, handle, session]);
}
