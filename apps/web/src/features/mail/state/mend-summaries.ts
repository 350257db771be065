// Corrects what lists show of opened messages whose stored summary differs from their content
// (crypto/mail/mended-summary.ts): in the local rows, in the search index, and in the copy stored
// for other devices.
import type { QueryClient } from '@tanstack/react-query';
import type { MendedSummary } from '../../../crypto/mail/mended-summary.ts';
import { mailClient } from '../../../session/calls/clients/mail.ts';
import { summariesMended } from '../../../session/news/mail-news.ts';
import { changeInLists, conversationsKey, type MailRowData } from './mail-cache.ts';
import type { WholeMail } from './queries.ts';

/** Messages corrected since the page was loaded, each at most once per incorrect summary. */
const asked = new Set<string>();

/**
 * Corrects those of the messages that need it. Never rejects: the next device that opens the
 * message tries again.
 */
export async function mendSummaries(cache: QueryClient, opened: readonly WholeMail[]): Promise<void> {
  const wrong = opened.flatMap(({ mail, content }) =>
    content.mended === undefined || asked.has(mail.id) ? [] : [[mail.id, content.mended] as const],
  );
  if (wrong.length === 0) return;
  for (const [id] of wrong) asked.add(id);
  showMended(cache, new Map(wrong));
  dispatchEvent(new CustomEvent(summariesMended, { detail: { ids: wrong.map(([id]) => id) } }));
  for (const [id, { sealed, was }] of wrong)
    await mailClient.mend_summary({ email_id: id, summary: sealed, was }).catch(() => undefined);
}

function showMended(cache: QueryClient, mended: ReadonlyMap<string, MendedSummary>): void {
  const mend = (row: MailRowData): MailRowData => {
    const found = mended.get(row.mail.id);
    return found === undefined || row.opened.failed !== null
      ? row
      : { ...row, opened: { ...row.opened, summary: found.shown } };
  };
  changeInLists(cache, new Set(mended.keys()), mend);
  cache.setQueriesData<readonly MailRowData[]>({ queryKey: conversationsKey }, rows =>
    rows?.some(({ mail }) => mended.has(mail.id)) ? rows.map(mend) : rows,
  );
}
