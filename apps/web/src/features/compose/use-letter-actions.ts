// What the buttons of a composer do to its session, and what is told when a letter is sent, taken back or discarded.

import { CallError } from '@keyfold/contract/client';
import { ATTACHMENT_MAX_BYTES } from '@keyfold/contract/limits';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { t } from '../../lib/language.ts';
import { formatSize } from '../../lib/sizes.ts';
import { askAllAgain } from '../../session/news/mail-news.ts';
import { actOnToast, afterToast, showToast } from '../../ui/toasts.ts';
import type { ComposerActions } from './Composer.tsx';
import { type Addressee, addresseesOf, filesInUse } from './draft/draft-state.ts';
import { keepSchedule } from './draft/scheduled-record.ts';
import {
  changeComposer,
  dropComposer,
  noteClosing,
  noteDiscarded,
  type OpenComposer,
  restoreComposer,
} from './letters/composer-list.ts';
import { rememberRecipients } from './recipients/people.ts';
import { whenWords } from './sending/schedule.ts';
import { undoSendSeconds } from './sending/sending-settings.ts';

export interface LetterActions extends ComposerActions {
  /** The letter went out as an invitation: its draft is not needed any more. */
  onInvited: () => void;
  /** Sends at once or at a moment; the reason of a failure stands in the composer. */
  send: (inTwoCopies: boolean, at: Date | null) => Promise<void>;
  /** Takes files if they fit, as attachments or, with a Content-ID, as a picture of the text. */
  takeFiles: (files: readonly File[], contentId?: string) => void;
}

const asTyped = ({ person, isInvalid }: Addressee) => ({ person, isInvalid });
const secondMs = 1000;

/** The bytes of all files that go with a letter. */
export const totalBytes = (files: readonly { readonly sizeBytes: number }[]): number =>
  files.reduce((sum, file) => sum + file.sizeBytes, 0);

/** The actions of a composer on its session. */
export function useLetterActions(composer: OpenComposer): LetterActions {
  const { handle, session } = composer;
  const latest = useRef(composer);
  latest.current = composer;
  const cache = useQueryClient();
  return useMemo(() => {
    const refresh = () => void askAllAgain(cache);
    const fail = (error: unknown) =>
      showToast({ tone: 'danger', text: error instanceof Error ? error.message : t('Something failed') });
    const leave = async (work: () => Promise<void>) => {
      dropComposer(handle);
      const done = work();
      noteClosing(session, done);
      await done.catch(fail);
      refresh();
    };
    /** A toast that can take something back while it is there; then `onKept`. Returns what takes it back without the button. */
    const tellWithUndo = (
      text: string,
      durationMs: number | null,
      onUndo: () => void,
      onKept: () => void,
    ): (() => void) => {
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
    };
    const recall = (sent: OpenComposer) => async () => {
      try {
        await session.unsend();
        restoreComposer(sent);
      } catch (error) {
        void session.finish();
        const isGone = error instanceof CallError && error.status === 409;
        fail(isGone ? new Error(t('It was sent already')) : error);
      }
      refresh();
    };
    const send = async (inTwoCopies: boolean, at: Date | null) => {
      const undoSeconds = at === null ? undoSendSeconds() : 0;
      try {
        const [id] = await session.send({ undoSeconds, sendAt: at?.toISOString() }, inTwoCopies);
        if (at !== null && id !== undefined) keepSchedule(id, session.state(), at).catch(fail);
      } catch {
        // The reason stands in the composer.
        return;
      }
      const sent = latest.current;
      dropComposer(handle);
      refresh();
      rememberRecipients(addresseesOf(session.state()).map(({ person }) => person)).catch(() => undefined);
      const done = () => void session.finish();
      if (at !== null) {
        tellWithUndo(
          t('Scheduled for {when}', { when: whenWords(at) }),
          null,
          () => void recall(sent)(),
          done,
        );
      } else if (undoSeconds === 0) {
        showToast({ tone: 'success', text: t('Sent') });
        done();
      } else {
        tellWithUndo(
          t('Sending…'),
          undoSeconds * secondMs,
          () => void recall(sent)(),
          () => {
            showToast({ tone: 'success', text: t('Sent') });
            done();
            refresh();
          },
        );
      }
    };
    /** The draft goes when the toast does; until then it can be taken back with everything in it. */
    const discard = () => {
      const discarded = latest.current;
      dropComposer(handle);
      session.rest();
      const takeBack = tellWithUndo(
        t('Draft discarded'),
        null,
        () => {
          forget();
          restoreComposer(discarded);
          session.change({});
        },
        () => {
          forget();
          void leave(session.discard);
        },
      );
      const forget = noteDiscarded(session, takeBack);
    };
    const takeFiles = (files: readonly File[], contentId?: string) => {
      const total = totalBytes(filesInUse(session.state())) + files.reduce((sum, file) => sum + file.size, 0);
      if (total <= ATTACHMENT_MAX_BYTES) {
        session.files.add(files, contentId);
        return;
      }
      const sizes = { total: formatSize(total), limit: formatSize(ATTACHMENT_MAX_BYTES) };
      showToast({
        tone: 'danger',
        text: t('Not attached: the files would be {total}, and at most {limit} can be sent', sizes),
      });
    };
    return {
      send,
      takeFiles,
      onRecipientsAdd: (field, typed) => {
        const added = typed.map(({ name, address, isValid }) => ({
          person: { name, address },
          isInvalid: !isValid,
        }));
        const before = session.state()[field].map(asTyped);
        const known = new Set(before.map(one => one.person.address.toLowerCase()));
        session.setPeople(field, [
          ...before,
          ...added.filter(one => !known.has(one.person.address.toLowerCase())),
        ]);
      },
      onRecipientRemove: (field, index) =>
        session.setPeople(
          field,
          session
            .state()
            [field].filter((_, at) => at !== index)
            .map(asTyped),
        ),
      onShowCcBcc: () => changeComposer(handle, { showsCcBcc: true }),
      onSubjectChange: subject => session.change({ subject }),
      onFiles: takeFiles,
      onFileRemove: id => session.files.remove(id),
      onFileRetry: id => session.files.retry(id),
      onModeChange: mode =>
        changeComposer(handle, {
          mode,
          wantsFocus: mode !== 'minimised',
          ...(mode === 'inline' ? {} : { under: null }),
        }),
      onFocusTaken: () => changeComposer(handle, { wantsFocus: false }),
      onClose: () => {
        if (session.state().wait === null) return void leave(session.close);
        // Waiting goes on in a bar; only there does closing take it back.
        if (latest.current.mode !== 'minimised')
          return changeComposer(handle, { mode: 'minimised', under: null });
        session.hold(null);
        void leave(session.close);
        showToast({ tone: 'warning', text: t('Not sent. The message is in Drafts') });
      },
      onDiscard: discard,
      onInvited: () => void leave(session.discard),
      onSend: () => void send(false, null),
      onSendTwoCopies: () => void send(true, null),
      onRetrySave: () => void session.saveNow(),
    };
  }, [cache, handle, session]);
}
