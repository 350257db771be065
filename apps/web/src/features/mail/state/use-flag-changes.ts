// Message actions of the mail screen: changes rows at once, reports each change with an Undo
// button, and restores the rows when the server rejects it (docs/interface.md#undo). The messages
// of a conversation are looked up when the change is sent.
import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { callErrorText } from '../../../session/calls/error-text.ts';
import { runLocked } from '../../../session/calls/operation-locks.ts';
import { showToast } from '../../../ui/toasts.ts';
import { doneText, operationName } from './change-words.ts';
import { mailsOfConversations } from './conversation-mails.ts';
import { type FlagChange, inverseSteps, isGoneWhenDeleted, type MailFlags, stepsOf } from './flag-changes.ts';
import { findMail, type MailRowData, notePlaces } from './mail-cache.ts';
import { useChangeFlags } from './mutations.ts';
import { offerUndo } from './undo-change.ts';

/** Whether a change applies only to the shown message of a conversation. */
const isOfOneMail = (change: FlagChange): boolean =>
  change.kind === 'star' || (change.kind === 'read' && !change.value);

/** Called with the ids of the rows when a change was undone. */
export type Undone = (ids: readonly string[]) => void;

/** Provides flag changes for rows and for whole conversations. */
export function useFlagChanges(onUndone: Undone) {
  const { mutateAsync } = useChangeFlags();
  const cache = useQueryClient();
  return useMemo(() => {
    /** Failures are shown, not thrown. */
    const attempt = async (label: string, target: readonly string[], work: () => Promise<void>) => {
      try {
        await runLocked(label, target.join(' '), work);
        return true;
      } catch (error) {
        showToast({ tone: 'danger', text: callErrorText(error) });
        return false;
      }
    };
    return {
      /**
       * Changes only these messages, without a toast. Messages that are not loaded are left alone.
       */
      changeMails: async (ids: readonly string[], change: FlagChange): Promise<void> => {
        const mails = ids.flatMap(id => findMail(cache, id) ?? []);
        const findSteps = async () => stepsOf(mails, change);
        await attempt(operationName(change), ids, () => mutateAsync({ ids, shows: { change }, findSteps }));
      },
      /**
       * Changes whole conversations and shows a toast with Undo. Resolves when the server has
       * answered.
       */
      changeConversations: async (rows: readonly MailRowData[], change: FlagChange): Promise<void> => {
        if (rows.length === 0) return;
        const ids = rows.map(({ mail }) => mail.id);
        const places = notePlaces(cache, new Set(ids));
        const shown = rows.map(({ mail }) => mail);
        let before: readonly MailFlags[] = [];
        const findSteps = async () => {
          const mails = isOfOneMail(change) ? shown : await mailsOfConversations(rows);
          const steps = stepsOf(mails, change);
          before = mails;
          return steps;
        };
        const undo = () => {
          const back = async () => inverseSteps(before, change);
          void attempt(operationName(change), [...ids, 'undo'], async () => {
            const sending = mutateAsync({ ids, shows: { places }, findSteps: back });
            onUndone(ids);
            await sending;
          });
        };
        let takeBackWords = () => {};
        const done = await attempt(operationName(change), ids, () => {
          const sending = mutateAsync({ ids, shows: { change }, findSteps });
          const text = doneText(change, rows.length, shown);
          if (change.kind !== 'delete' || !shown.every(isGoneWhenDeleted))
            takeBackWords = offerUndo(text, undo);
          else
            void sending.then(
              () => showToast({ tone: 'success', text }),
              () => undefined,
            );
          return sending;
        });
        if (!done) takeBackWords();
      },
    };
  }, [mutateAsync, cache, onUndone]);
}
