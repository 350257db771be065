// Query results that were requested, or cached on the device, before a flag change do not include
// it. Pending changes are applied on top of them, so that the list and the reader never disagree
// about a message (docs/interface.md#undo).
import type { QueryClient } from '@tanstack/react-query';
import { changed, staysIn } from './flag-changes.ts';
import type { MailRowData, WholePage } from './mail-cache.ts';
import { flagChangesKey } from './mail-cache.ts';
import type { ChangeInput } from './mutations.ts';

/** Returns the changes that wait for the server or a connection, oldest first. */
const waitingIn = (cache: QueryClient): readonly ChangeInput[] =>
  cache
    .getMutationCache()
    .findAll({ mutationKey: flagChangesKey, status: 'pending' })
    .flatMap(({ state }) => (state.variables as ChangeInput | undefined) ?? []);

/**
 * Returns the row with the pending changes applied, or null when one of them removes it from the
 * list of `word`.
 */
function withChanges(
  waiting: readonly ChangeInput[],
  row: MailRowData,
  word: string | null,
): MailRowData | null {
  let { mail } = row;
  let stays = true;
  for (const { ids, shows } of waiting) {
    if (!ids.includes(mail.id)) continue;
    if ('places' in shows) {
      mail = shows.places.mails.get(mail.id)?.mail ?? mail;
      stays = true;
    } else {
      mail = changed(mail, shows.change);
      stays = word === null || staysIn(word, mail, shows.change);
    }
  }
  return stays ? { ...row, mail } : null;
}

/** Returns the messages of a conversation with pending changes applied. */
export function withPendingChanges(cache: QueryClient, rows: readonly MailRowData[]): readonly MailRowData[] {
  const waiting = waitingIn(cache);
  return waiting.length === 0 ? rows : rows.flatMap(row => withChanges(waiting, row, null) ?? []);
}

/** Returns a page of a list with pending changes applied. */
export function pageWithPendingChanges(cache: QueryClient, page: WholePage, word: string): WholePage {
  const waiting = waitingIn(cache);
  if (waiting.length === 0) return page;
  const rows = page.rows.flatMap(row => withChanges(waiting, row, word) ?? []);
  return { ...page, rows, count: page.count - (page.rows.length - rows.length) };
}
