// What the mail screen does with conversations: marks all their mails in the list's scope, says so in a toast, and can
// take it back (ux section 1, Undo).
import { useMemo } from 'react';
import { plural } from '../../lib/words.ts';
import { client } from '../../session/client.ts';
import { callErrorText } from '../../session/error-text.ts';
import { showToast } from '../../ui/toasts.ts';
import type { MailRowData } from './mail-cache.ts';
import { type Mark, useMark } from './mutations.ts';
import { toBase64 } from './queries.ts';

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

/** Marks rows, or whole conversations for archive, delete and restore. */
export function useMarkActions() {
  const { mutateAsync } = useMark();
  return useMemo(() => {
    const apply = async (ids: readonly string[], mark: Mark): Promise<boolean> => {
      try {
        await mutateAsync({ ids, mark });
        return true;
      } catch (error) {
        showToast({ tone: 'danger', text: callErrorText(error) });
        return false;
      }
    };
    const tell = (count: number, ids: readonly string[], mark: Mark, isFinal: boolean) => {
      const word = wordOf(mark);
      if (word === null) return;
      const text = `${count === 1 ? 'Conversation' : plural(count, 'conversation')} ${isFinal ? 'removed' : word}`;
      const inverse = isFinal ? null : inverseOf(mark);
      showToast({
        tone: 'success',
        text,
        ...(inverse === null ? {} : { action: { label: 'Undo', onAct: () => void apply(ids, inverse) } }),
      });
    };
    return {
      /** Marks just these mails, without a word. */
      mark: apply,
      /** Marks whole conversations and says so. */
      markConversations: async (rows: readonly MailRowData[], mark: Mark): Promise<void> => {
        if (rows.length === 0) return;
        const isFinal = mark.kind === 'delete' && rows.every(({ mail }) => mail.deleted || mail.draft);
        try {
          const ids = (await Promise.all(rows.map(idsOfConversation))).flat();
          if (await apply([...new Set(ids)], mark)) tell(rows.length, ids, mark, isFinal);
        } catch (error) {
          showToast({ tone: 'danger', text: callErrorText(error) });
        }
      },
    };
  }, [mutateAsync]);
}
