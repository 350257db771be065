// Walks all pages of a conversation: a query answers with one page, and a conversation has no end of its own. What changes
// between two pages is seen by the next walk.

/** A conversation longer than this many pages is no conversation; the rest stays in its list. */
const MAX_PAGES = 100;

/** All rows of the pages, each page asked for after the last row of the one before. A short page is the last. */
export async function allPages<Row>(
  pageSize: number,
  idOf: (row: Row) => string,
  fetchPage: (lastId: string | undefined) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const found = new Map<string, Row>();
  let lastId: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const rows = await fetchPage(lastId);
    for (const row of rows) found.set(idOf(row), row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize || idOf(last) === lastId) break;
    lastId = idOf(last);
  }
  return [...found.values()];
}
