/**
 * The opened messages of a conversation: the expanded ones, and collapsed ones whose sender verdict
 * requires their body.
 */
import { type QueryClient, type UseQueryResult, useQueries, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { changeInLists, type MailRowData } from '../../state/mail-cache.ts';
import { mendSummaries } from '../../state/mend-summaries.ts';
import { type WholeMail, wholeMailQuery } from '../../state/queries.ts';
import { useUnpacked } from '../attached/use-unpacked.ts';

/** Number of collapsed messages fetched in parallel for their verdict, newest first. */
const JUDGED_AT_ONCE = 2;

/**
 * Returns whether the verdict on a collapsed message requires its body. That of a service notice is
 * already known.
 */
const isToJudge = ({ mail }: MailRowData): boolean => !mail.draft && !mail.alert;

function isToFetch(cache: QueryClient, mailId: string): boolean {
  const state = cache.getQueryState(wholeMailQuery(mailId).queryKey);
  return state === undefined || (state.data === undefined && state.status !== 'error');
}

/**
 * When a body cannot be decrypted, its row in the lists, which only the summary had proven, loses
 * its proof too.
 */
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

/** Defined once, so that it runs again only when a result changes. */
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

/**
 * Returns the expanded messages, and in `judged` the collapsed ones. Updates the lists with what
 * opening them revealed.
 */
export function useWholes(rows: readonly MailRowData[], openIds: ReadonlySet<string>) {
  const opened = rows.filter(({ mail }) => openIds.has(mail.id));
  const { wholes: fetched, ...openOnes } = useQueries({
    queries: opened.map(({ mail }) => wholeMailQuery(mail.id)),
    combine: combineMails,
  });
  // The security strip covers collapsed messages too; the visible ones are fetched first. `sent` is
  // not relied on, because it is only a claim of the server.
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
