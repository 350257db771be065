// Which rows of the list are checked: one by one, by range, all that are loaded, or the whole folder but for those that
// were unchecked again (docs/interface.md#selection).
import { useCallback, useMemo, useRef, useState } from 'react';
import type { ListRows } from './list-rows.ts';
import type { CheckMode } from './MailRow.tsx';

type State = {
  /** `whole`: every row of the list but `ids`; else `ids` alone. */
  readonly isWhole: boolean;
  readonly ids: ReadonlySet<string>;
};

const nothing: State = { isWhole: false, ids: new Set() };

const isChecked = ({ isWhole, ids }: State, id: string): boolean => ids.has(id) !== isWhole;

/** Checks or unchecks rows. */
export function withRows(state: State, rows: readonly string[], checks: boolean): State {
  const ids = new Set(state.ids);
  for (const id of rows) {
    if (checks === state.isWhole) ids.delete(id);
    else ids.add(id);
  }
  return { ...state, ids };
}

/** The checked rows of a list; `total` is how many rows it has, loaded or not. Another `list` starts with none. */
export function useSelection(rows: ListRows, list: string, total: number) {
  const [state, setState] = useState<State>(nothing);
  const latest = useRef(rows);
  latest.current = rows;
  /** The row that a range starts at, and whether it was checked or unchecked there. */
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
    /** Rows that were taken out of a whole folder again. */
    unchecked,
    isWhole: state.isWhole,
    /** Whether the selection hangs on this row: what becomes of it must be known. */
    isNamed: (id: string): boolean => state.ids.has(id),
    /** How many conversations are meant, loaded or not. */
    count,
    check,
    clear,
    checkAll,
    checkThese,
    checkWhole,
  };
}

/** The ids from one to another, both included, whichever stands first. */
export function between(rows: ListRows, from: string, to: string): readonly string[] {
  const [a, b] = [rows.indexOf(from), rows.indexOf(to)];
  if (a < 0 || b < 0) return [to];
  return rows.idsBetween(Math.min(a, b), Math.max(a, b) + 1);
}
