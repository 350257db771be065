// Selects the messages of a partial export: those with a tag, or the results of a search.
import { TAG_FILTER } from '@keyfold/contract/folders';
import { mailClient } from '../../session/calls/clients/mail.ts';
import { type SearchStart, searchPage } from '../search/search-page.ts';

const TAG_PAGE_ROWS = 200;

/** Returns the ids of all messages with a tag. */
export async function findTagged(name: string): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const last = ids.at(-1);
    const { data } = await mailClient.query({
      ...TAG_FILTER,
      tag: [name],
      view: 'summary',
      count: TAG_PAGE_ROWS,
      ...(last === undefined ? {} : { last_id: last }),
    });
    ids.push(...data.map(({ id }) => id));
    if (data.length < TAG_PAGE_ROWS) return ids;
  }
}

/** Returns the ids of all messages that a search finds. Rejects like the search. */
export async function findSearched(text: string): Promise<string[]> {
  const now = Date.now();
  const ids = new Set<string>();
  let next: SearchStart | null = { after: null };
  while (next !== null) {
    const page: Awaited<ReturnType<typeof searchPage<string>>> = await searchPage(
      text,
      now,
      next,
      async mails => mails.map(({ id }) => id),
    );
    for (const id of page.rows) ids.add(id);
    next = page.next;
  }
  return [...ids];
}
