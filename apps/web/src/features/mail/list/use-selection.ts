// The selected rows of the list: individual rows, a range, all loaded rows, or the whole folder
// except for rows that were unchecked again (docs/interface.md#selection).
import { useCallback, useMemo, useRef, useState } from 'react';
import type { ListRows } from './list-rows.ts';
import type { CheckMode } from './MailRow.tsx';

type State = {
  /** If true, every row of the list except `ids` is selected; else only `ids`. */
  readonly isWhole: boolean;
  readonly ids: ReadonlySet<string>;
};

const nothing: State = { isWhole: false, ids: new Set() };

const isChecked = ({ isWhole, ids }: State, id: string): boolean => ids.has(id) !== isWhole;

/** Selects or deselects rows. */
export function withRows(state: State, rows: readonly string[], checks: boolean): State {
  const ids = new Set(state.ids);
  for (const id of rows) {
    if (checks === state.isWhole) ids.delete(id);
    else ids.add(id);
  }
  return { ...state, ids };
}

/**
 * The selected rows of a list. `total` is the number of its rows, loaded or not. Another `list`
 * starts with no selection.
 */
export function useSelection(rows: ListRows, list: string, total: number) {
  const [state, setState] = useState<State>(nothing);
  const latest = useRef(rows);
  latest.current = rows;
  /** The row at which a range starts, and whether it was selected or deselected. */
  const anchor = useRef<{ readonly id: string; readonly checks: boolean } | null>(null);
  const current = useRef(state);
  const change = useCallback((next: State) => {
    current.current = next;
    setState(next);
  }, []);
  const check = useCallback(
    (id: string, mode: CheckMode) => {
      const from = anchor.current;
      const before = current.current;
      if (mode === 'range' && from !== null) {
        change(withRows(before, between(latest.current, from.id, id), from.checks));
        anchor.current = { id, checks: from.checks };
      } else {
        const checks = !isChecked(before, id);
        change(withRows(before, [id], checks));
        anchor.current = { id, checks };
      }
    },
    [change],
  );
  const clear = useCallback(() => {
    anchor.current = null;
    change(nothing);
  }, [change]);
  const checkThese = useCallback(
    (ids: readonly string[]) => change({ isWhole: false, ids: new Set(ids) }),
    [change],
  );
  const checkAll = useCallback(
    () => checkThese(latest.current.presentWhere(() => true).map(({ mail }) => mail.id)),
    [checkThese],
  );
  const checkWhole = useCallback(() => change({ isWhole: true, ids: new Set() }), [change]);
  const [shown, setShown] = useState(list);
  if (shown !== list) {
    setShown(list);
    clear();
  }
  const checked = useMemo(
    () => (state === nothing ? nothing.ids : new Set(rows.idsWhere(id => isChecked(state, id)))),
    [rows, state],
  );
  const unchecked = useMemo(
    () => (state.isWhole ? rows.idsWhere(id => state.ids.has(id)) : []),
    [rows, state],
  );
  const count = state.isWhole ? Math.max(0, total - unchecked.length) : checked.size;
  return {
    checked,
    /** Rows excluded from a selection of the whole folder. */
    unchecked,
    isWhole: state.isWhole,
    /** Whether the selection names this row, so that its changes must be tracked. */
    isNamed: (id: string): boolean => state.ids.has(id),
    /** Number of selected conversations, loaded or not. */
    count,
    check,
    clear,
    checkAll,
    checkThese,
    checkWhole,
  };
}

/** Returns the ids between two rows, both included, in either order. */
export function between(rows: ListRows, from: string, to: string): readonly string[] {
  const [a, b] = [rows.indexOf(from), rows.indexOf(to)];
  if (a < 0 || b < 0) return [to];
  return rows.idsBetween(Math.min(a, b), Math.max(a, b) + 1);
}
