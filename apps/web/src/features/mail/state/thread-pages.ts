// Reads all pages of a conversation: a query returns one page, and a conversation has no maximum
// length. Changes made between two pages are picked up by the next read.

/**
 * Maximum number of pages read for one conversation. Further messages appear only in their list.
 */
const MAX_PAGES = 100;

/**
 * Returns the rows of all pages. Each page is requested after the last row of the previous one; a
 * short page is the last.
 */
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
