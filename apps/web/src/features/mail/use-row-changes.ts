// Changes rows and the selection: at once, or after a confirmation for permanent deletion and very
// large changes. Also decides where the list and the focus continue when rows have left or come
// back.
import { useCallback, useEffect, useRef } from 'react';
import { callErrorText } from '../../session/calls/error-text.ts';
import { usePreferences } from '../../session/state/preferences.ts';
import { showToast } from '../../ui/toasts.ts';
import { focusedRow } from './list/list-focus.ts';
import { ASK_FROM, type BulkJob, isPurge } from './state/bulk-job.ts';
import type { FlagChange } from './state/flag-changes.ts';
import { queryOf } from './state/folders.ts';
import { concernedBy, leavesList } from './state/list-changes.ts';
import type { MailRowData } from './state/mail-cache.ts';
import { useBulk } from './state/use-bulk.ts';
import { useFlagChanges } from './state/use-flag-changes.ts';
import type { MailAddress } from './use-mail-address.ts';
import type { OpenRow } from './use-open-row.ts';
import type { ShownList } from './use-shown-list.ts';

type MailView = {
  readonly address: MailAddress;
  readonly list: ShownList;
  readonly openRow: OpenRow;
  /** Either the list or the reader is shown, not both. */
  readonly isOnePane: boolean;
};

/**
 * Restores the focus in a list that has changed, and selects or opens rows whose change was undone.
 */
function useReturn({ address, list, isOnePane }: MailView) {
  const { rows, handle, selection } = list;
  /** Where the focus continues when the focused row has left. */
  const goOnAt = useRef<number | null>(null);
  /** Rows whose change was undone and that are not shown yet. */
  const undone = useRef<readonly string[]>([]);
  const onUndone = useCallback((ids: readonly string[]) => {
    undone.current = ids;
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each list that comes
  useEffect(() => {
    if (goOnAt.current !== null && rows.length > 0)
      handle.current?.focusRow(Math.min(goOnAt.current, rows.length - 1));
    goOnAt.current = null;
    const back = undone.current.filter(id => rows.indexOf(id) >= 0);
    if (back.length === 0) return;
    undone.current = [];
    const [only] = back;
    if (back.length > 1 || only === undefined) selection.checkThese(back);
    else {
      handle.current?.focusRow(rows.indexOf(only));
      if (address.openId !== null && !isOnePane && !rows.find(only)?.mail.draft) address.open(only, true);
    }
  }, [rows]);
  const leaveRow = () => {
    if (focusedRow() >= 0) goOnAt.current = focusedRow();
  };
  return { onUndone, leaveRow };
}

/** Changes rows now. When the open conversation leaves the list, the next one opens. */
function useChangeNow(view: MailView) {
  const { address, list, openRow, isOnePane } = view;
  const { rows } = list;
  const { afterAction } = usePreferences();
  const { onUndone, leaveRow } = useReturn(view);
  const { changeMails, changeConversations } = useFlagChanges(onUndone);
  const changeNow = (chosenRows: readonly MailRowData[], change: FlagChange) => {
    const word = address.search === '' ? address.word : 'all';
    const going = chosenRows.filter(row => leavesList(word, row, change));
    const goingIds = new Set(going.map(({ mail }) => mail.id));
    if (address.openId !== null && (goingIds.has(address.openId) || goingIds.has(openRow.rowId ?? ''))) {
      const stays = (id: string) => !goingIds.has(id);
      const next =
        rows.walk(rows.indexOf(openRow.rowId) + 1, 1, stays) ?? rows.walk(rows.length - 1, -1, stays);
      const goesBack = isOnePane || afterAction === 'list' || rows.find(next)?.mail.draft;
      address.open(goesBack ? null : next, true);
    }
    if (going.length > 0) leaveRow();
    void changeConversations(chosenRows, change);
  };
  return { changeMails, changeNow };
}

/** Provides changes of the shown messages. */
export function useRowChanges(view: MailView) {
  const { address, list } = view;
  const { rows, selection, listWindow } = list;
  const { changeMails, changeNow } = useChangeNow(view);
  const bulk = useBulk();
  const { threading: _threading, ...query } = queryOf(address.word, address.filter);
  /**
   * Returns a job that changes these rows or, with null, the whole list except the conversations in
   * `leftOut`.
   */
  const jobOf = (
    chosenRows: readonly MailRowData[] | null,
    change: FlagChange,
    leftOut: readonly MailRowData[] = [],
  ): BulkJob => ({
    change,
    count: chosenRows?.length ?? selection.count,
    rows: chosenRows,
    query,
    leftOut: new Set(leftOut.map(({ mail }) => mail.thread_id)),
  });
  const runJob = (job: BulkJob) => {
    if (job.rows === null || job.rows.length > ASK_FROM) bulk.run(job);
    else {
      bulk.cancel();
      changeNow(job.rows, job.change);
    }
    selection.clear();
  };
  const startJob = (job: BulkJob) => {
    if (isPurge(job) || job.count > ASK_FROM) bulk.ask(job);
    else runJob(job);
  };
  return {
    changeMails,
    question: bulk.question,
    cancel: bulk.cancel,
    runJob,
    /** Deletes everything in the list permanently. */
    purgeAll: () => bulk.ask({ ...jobOf(null, { kind: 'delete' }), count: list.total }),
    changeRows: (chosenRows: readonly MailRowData[], change: FlagChange) => {
      const job = jobOf(concernedBy(change, chosenRows), change);
      if (job.count === 0) return;
      if (isPurge(job)) bulk.ask(job);
      else changeNow(job.rows ?? [], change);
    },
    /** Changes the selection once the selected rows are loaded. */
    changeSelection: (change: FlagChange) => {
      const named = new Set(selection.isWhole ? selection.unchecked : selection.checked);
      const namedRows = rows.presentWhere(id => named.has(id));
      const start = (known: readonly MailRowData[]) =>
        startJob(selection.isWhole ? jobOf(null, change, known) : jobOf(concernedBy(change, known), change));
      if (namedRows.length === named.size) start(namedRows);
      else
        listWindow
          .bringBack(named)
          .then(start, error => showToast({ tone: 'danger', text: callErrorText(error) }));
    },
  };
}

export type RowChanges = ReturnType<typeof useRowChanges>;
