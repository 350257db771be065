// What the mail screen does with conversations: marks all their mails in the list's scope, says so in a toast, and can
// take it back (ux section 1, Undo).
import { useMemo } from 'react';
import { plural } from '../../lib/words.ts';
import { client } from '../../session/client.ts';
import { callErrorText } from '../../session/error-text.ts';
import { runLocked } from '../../session/operation-locks.ts';
import { actionToastMs, undoWindowMs } from '../../timing.ts';
import { showToast } from '../../ui/toasts.ts';
import type { MailRowData } from './mail-cache.ts';
import { type Mark, type MarkInput, useMark } from './mutations.ts';
import { toBase64 } from './queries.ts';

/** How long a change can be taken back with a key: as long as its toast stands, and a while longer. */
const undoLimitMs = actionToastMs + undoWindowMs;
/** Mails of one conversation that are marked with it. */
const threadMax = 200;

/** The ids of every mail of a conversation, its row's own one first. */
async function idsOfConversation({ mail }: MailRowData): Promise<string[]> {
  if ((mail.thread_count ?? 1) < 2 || mail.message_id === '') return [mail.id];
  const { data } = await client.mail.query({
    message_id: toBase64(mail.message_id),
    threading: true,
    count: threadMax,
    view: 'summary',
    deleted: mail.deleted,
    draft: false,
  });
  return [...new Set([mail.id, ...data.map(one => one.id)])];
}

const doneWords: Readonly<Record<'archive' | 'unarchive' | 'delete' | 'restore', string>> = {
  archive: 'archived',
  unarchive: 'moved to the inbox',
  delete: 'deleted',
  restore: 'restored',
};

const wordOf = (mark: Mark): string | null => {
  if (mark.kind === 'archive') return mark.value ? doneWords.archive : doneWords.unarchive;
  return mark.kind === 'delete' || mark.kind === 'restore' ? doneWords[mark.kind] : null;
};

const inverseOf = (mark: Mark): Mark | null => {
  if (mark.kind === 'archive') return { kind: 'archive', value: !mark.value };
  if (mark.kind === 'delete') return { kind: 'restore' };
  return mark.kind === 'restore' ? { kind: 'delete' } : null;
};

const lockLabels: Readonly<Record<Mark['kind'], string>> = {
  read: 'Mark as read',
  star: 'Star',
  archive: 'Archive',
  delete: 'Delete',
  restore: 'Restore',
};

/** The last change that can be taken back with a key, and until when (ux section 1, Undo). */
let lastUndo: { readonly run: () => void; readonly until: number } | null = null;

/** Takes back the last change, unless that was done or it is too long ago. */
export function undoLast(): void {
  const undo = lastUndo;
  lastUndo = null;
  if (undo !== null && Date.now() < undo.until) undo.run();
}

/** Marks rows, or whole conversations for archive, delete and restore. */
export function useMarkActions() {
  const { mutateAsync } = useMark();
  return useMemo(() => {
    /** Resolves with the ids that were marked, or null when it failed, which was said then. */
    const apply = async (input: MarkInput): Promise<readonly string[] | null> => {
      try {
        return await runLocked(lockLabels[input.mark.kind], input.ids.join(' '), () => mutateAsync(input));
      } catch (error) {
        showToast({ tone: 'danger', text: callErrorText(error) });
        return null;
      }
    };
    const tell = (count: number, ids: readonly string[], mark: Mark, isFinal: boolean) => {
      const word = wordOf(mark);
      if (word === null) return;
      const text = `${count === 1 ? 'Conversation' : plural(count, 'conversation')} ${isFinal ? 'removed' : word}`;
      const inverse = isFinal ? null : inverseOf(mark);
      if (inverse === null) {
        showToast({ tone: 'success', text });
        return;
      }
      const undo = { run: () => void apply({ ids, mark: inverse }), until: Date.now() + undoLimitMs };
      lastUndo = undo;
      const onAct = () => {
        if (lastUndo === undo) lastUndo = null;
        undo.run();
      };
      showToast({ tone: 'success', text, action: { label: 'Undo', onAct } });
    };
    return {
      /** Marks just these mails, without a word. */
      mark: async (ids: readonly string[], mark: Mark): Promise<void> => void (await apply({ ids, mark })),
      /** Marks whole conversations and says so. */
      markConversations: async (rows: readonly MailRowData[], mark: Mark): Promise<void> => {
        if (rows.length === 0) return;
        const isFinal = mark.kind === 'delete' && rows.every(isGoneWhenDeleted);
        const findAll = async () => [...new Set((await Promise.all(rows.map(idsOfConversation))).flat())];
        const marked = await apply({ ids: rows.map(({ mail }) => mail.id), mark, findAll });
        if (marked !== null) tell(rows.length, marked, mark, isFinal);
      },
    };
  }, [mutateAsync]);
}

/** What is deleted already, or a draft, is removed for good (api.md). */
export const isGoneWhenDeleted = ({ mail }: MailRowData): boolean => mail.deleted || mail.draft;
