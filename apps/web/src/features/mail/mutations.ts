// Marks mail: read, starred, archived, deleted, restored. Rows change at once and go back when the server refuses;
// whole lists and counts are asked for again afterwards (ux section 1, Undo).
import type { Email } from '@keyfold/contract';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../../session/client.ts';
import {
  changeInLists,
  conversationsKey,
  countsKey,
  listsKey,
  type MailRowData,
  snapshotLists,
} from './mail-cache.ts';
import type { ConversationMail } from './queries.ts';

export type Mark =
  | { readonly kind: 'read' | 'star' | 'archive'; readonly value: boolean }
  | { readonly kind: 'delete' | 'restore' };

export type MarkInput = {
  readonly ids: readonly string[];
  readonly mark: Mark;
  /** Finds every mail that is meant, when the shown rows stand for more; asked only when the change is sent. */
  readonly findAll?: () => Promise<readonly string[]>;
};

/** The key of every change of marks: they are sent one after the other, in the order in which they were made. */
export const marksKey = ['marks'] as const;

/** Most ids of one request (api.md, Mail). */
const idsPerRequest = 500;

async function request(ids: string[], mark: Mark): Promise<void> {
  switch (mark.kind) {
    case 'read':
      await client.mail.read({ email_id: ids, value: mark.value });
      return;
    case 'star':
      await client.mail.star({ email_id: ids, value: mark.value });
      return;
    case 'archive':
      await client.mail.archive({ email_id: ids, value: mark.value });
      return;
    case 'delete':
      await client.mail.remove({ email_id: ids });
      return;
    case 'restore':
      await client.mail.restore({ email_id: ids });
  }
}

const changed = (mail: Email, mark: Mark): Email => {
  switch (mark.kind) {
    case 'read':
      return { ...mail, read: mark.value };
    case 'star':
      return { ...mail, starred: mark.value };
    case 'archive':
      return { ...mail, archived: mark.value };
    case 'delete':
      return { ...mail, deleted: true };
    case 'restore':
      return { ...mail, deleted: false, deleted_at: null };
  }
};

/** Whether a mail stays in a list after a mark; a filter by read state keeps it until the list is asked for again. */
function staysIn(word: string, mail: Email, mark: Mark): boolean {
  if (mark.kind === 'delete') return false;
  if (mark.kind === 'restore') return word !== 'deleted';
  if (mark.kind === 'archive')
    return word === 'archived' ? mail.archived : word !== 'recieved' || !mail.archived;
  if (mark.kind === 'star') return word !== 'starred' || mail.starred;
  return true;
}

function applyMark(cache: QueryClient, { ids, mark }: MarkInput): void {
  const wanted = new Set(ids);
  changeInLists(cache, wanted, (row: MailRowData, word) => {
    const mail = changed(row.mail, mark);
    return staysIn(word, mail, mark) ? { ...row, mail } : null;
  });
  cache.setQueriesData<readonly ConversationMail[]>({ queryKey: conversationsKey }, mails =>
    mails?.map(one => (wanted.has(one.mail.id) ? { ...one, mail: changed(one.mail, mark) } : one)),
  );
}

/** Asks for every list and count again. */
export async function refreshMail(cache: QueryClient): Promise<void> {
  await Promise.all([
    cache.invalidateQueries({ queryKey: listsKey }),
    cache.invalidateQueries({ queryKey: countsKey }),
    cache.invalidateQueries({ queryKey: conversationsKey }),
  ]);
}

/** Marks mails; the rows show it at once, and without a connection the change waits for it. Resolves with all ids. */
export function useMark() {
  const cache = useQueryClient();
  return useMutation({
    mutationKey: marksKey,
    scope: { id: marksKey[0] },
    mutationFn: async ({ ids, mark, findAll }: MarkInput): Promise<readonly string[]> => {
      const all = findAll === undefined ? ids : await findAll();
      for (let start = 0; start < all.length; start += idsPerRequest) {
        await request(all.slice(start, start + idsPerRequest), mark);
      }
      return all;
    },
    onMutate: async input => {
      await cache.cancelQueries({ queryKey: listsKey });
      const putBack = snapshotLists(cache);
      applyMark(cache, input);
      return { putBack };
    },
    onError: (_error, _input, context) => context?.putBack(),
    onSettled: () => {
      // An answer that knows nothing of the changes still waiting would undo them before everybody's eyes.
      if (cache.isMutating({ mutationKey: marksKey }) <= 1) void refreshMail(cache);
    },
  });
}
