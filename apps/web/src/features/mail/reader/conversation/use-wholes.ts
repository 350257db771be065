/** The opened mails of a conversation: those that are unfolded, and the closed ones whose proof only their body tells. */
import { type QueryClient, type UseQueryResult, useQueries, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { changeInLists, type MailRowData } from '../../state/mail-cache.ts';
import { mendSummaries } from '../../state/mend-summaries.ts';
import { type WholeMail, wholeMailQuery } from '../../state/queries.ts';
import { useUnpacked } from '../attached/use-unpacked.ts';

/** Closed messages that are fetched at once to be judged, the newest first. */
const JUDGED_AT_ONCE = 2;

/** Whether only its body tells how far a closed message can be trusted: of a notice that is known. */
const isToJudge = ({ mail }: MailRowData): boolean => !mail.draft && !mail.alert;

function isToFetch(cache: QueryClient, mailId: string): boolean {
  const state = cache.getQueryState(wholeMailQuery(mailId).queryKey);
  return state === undefined || (state.data === undefined && state.status !== 'error');
}

/** A body that does not open takes the proof from its row in the lists too, which its summary alone had opened. */
function tellLists(cache: QueryClient, opened: readonly WholeMail[]): void {
  const failed = new Map(
    opened.flatMap(({ mail, content }) =>
      content.failed === null ? [] : [[mail.id, content.failed] as const],
    ),
  );
  if (failed.size === 0) return;
  changeInLists(cache, new Set(failed.keys()), row => {
    const why = failed.get(row.mail.id) ?? null;
    return row.opened.failed !== null || why === null
      ? row
      : { ...row, opened: { ...row.opened, failed: why } };
  });
}

/** Kept at one place so that it runs again only when a result has changed. */
function combineMails(results: readonly UseQueryResult<WholeMail>[]) {
  return {
    wholes: new Map(
      results.flatMap(({ data }) => (data === undefined ? [] : [[data.mail.id, data] as const])),
    ),
    error: results.find(({ isError }) => isError)?.error ?? null,
    isRetrying: results.some(({ isFetching, data }) => isFetching && data !== undefined),
    retry: () => {
      for (const result of results) void result.refetch();
    },
  };
}

/** The unfolded mails, and `judged`, the closed ones; the lists hear what their opening told. */
export function useWholes(rows: readonly MailRowData[], openIds: ReadonlySet<string>) {
  const opened = rows.filter(({ mail }) => openIds.has(mail.id));
  const { wholes: fetched, ...openOnes } = useQueries({
    queries: opened.map(({ mail }) => wholeMailQuery(mail.id)),
    combine: combineMails,
  });
  // The strip speaks for closed messages too; what one sees is fetched first. `sent` is only the server's word.
  const isOpenThere = openOnes.error === null && fetched.size === opened.length;
  const wholes = useUnpacked(fetched);
  const cache = useQueryClient();
  const closed = rows.filter(row => isToJudge(row) && !openIds.has(row.mail.id));
  const later = new Set(closed.filter(({ mail }) => isToFetch(cache, mail.id)).slice(0, -JUDGED_AT_ONCE));
  const { wholes: judged, ...closedOnes } = useQueries({
    queries: closed.map(row => ({
      ...wholeMailQuery(row.mail.id),
      enabled: isOpenThere && !later.has(row),
    })),
    combine: combineMails,
  });
  useEffect(() => {
    const opened = [...wholes.values(), ...judged.values()];
    tellLists(cache, opened);
    void mendSummaries(cache, opened);
  }, [cache, wholes, judged]);
  return {
    wholes,
    judged,
    error: openOnes.error,
    isRetrying: openOnes.isRetrying || closedOnes.isRetrying,
    retry: () => {
      openOnes.retry();
      closedOnes.retry();
    },
  };
}
