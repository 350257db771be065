// Answers that were asked for, or kept on the device, before a change of marks was made know nothing of it. The changes that
// still wait are shown on them, so that list and reader never disagree about a mail (docs/interface.md#undo).
import type { QueryClient } from '@tanstack/react-query';
import type { MailRowData, WholePage } from './mail-cache.ts';
import { marksKey } from './mail-cache.ts';
import { changed, staysIn } from './marks.ts';
import type { ChangeInput } from './mutations.ts';

/** The changes that wait for the server or a connection, in the order in which they were made. */
const waitingIn = (cache: QueryClient): readonly ChangeInput[] =>
  cache
    .getMutationCache()
    .findAll({ mutationKey: marksKey, status: 'pending' })
    .flatMap(({ state }) => (state.variables as ChangeInput | undefined) ?? []);

/** The row after the changes that wait; null when one of them takes it out of the list of this word. */
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
      mail = changed(mail, shows.mark);
      stays = word === null || staysIn(word, mail, shows.mark);
    }
  }
  return stays ? { ...row, mail } : null;
}

/** The mails of a conversation as they are shown. */
export function withPendingMarks(cache: QueryClient, rows: readonly MailRowData[]): readonly MailRowData[] {
  const waiting = waitingIn(cache);
  return waiting.length === 0 ? rows : rows.flatMap(row => withChanges(waiting, row, null) ?? []);
}

/** The page of a list as it is shown. */
export function pageWithPendingMarks(cache: QueryClient, page: WholePage, word: string): WholePage {
  const waiting = waitingIn(cache);
  if (waiting.length === 0) return page;
  const rows = page.rows.flatMap(row => withChanges(waiting, row, word) ?? []);
  return { ...page, rows, count: page.count - (page.rows.length - rows.length) };
}
