// Which rows of the list are checked: one by one, by range, all that are loaded, or the whole folder but for those that
// were unchecked again (ux section 1, Selection and bulk).
import { useCallback, useMemo, useRef, useState } from 'react';
import type { CheckMode } from './MailRow.tsx';

interface State {
  /** `whole`: every row of the list but `ids`; else `ids` alone. */
  readonly isWhole: boolean;
  readonly ids: ReadonlySet<string>;
}

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

/**
 * The checked rows of a list; `order` holds the known ids as they are shown, `present` those of them that are loaded,
 * `total` is how many rows the list has. Another `list` starts with none.
 */
export function useSelection(
  order: readonly string[],
  present: readonly string[],
  list: string,
  total: number,
) {
  const [state, setState] = useState<State>(nothing);
  const latest = useRef({ order, present });
  latest.current = { order, present };
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
        change(withRows(before, between(latest.current.order, from.id, id), from.checks));
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
  const checkAll = useCallback(() => checkThese(latest.current.present), [checkThese]);
  const checkWhole = useCallback(() => change({ isWhole: true, ids: new Set() }), [change]);
  const [shown, setShown] = useState(list);
  if (shown !== list) {
    setShown(list);
    clear();
  }
  const checked = useMemo(() => new Set(order.filter(id => isChecked(state, id))), [order, state]);
  const unchecked = useMemo(
    () => (state.isWhole ? order.filter(id => state.ids.has(id)) : []),
    [order, state],
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
export function between(order: readonly string[], from: string, to: string): readonly string[] {
  const [a, b] = [order.indexOf(from), order.indexOf(to)];
  if (a < 0 || b < 0) return [to];
  return order.slice(Math.min(a, b), Math.max(a, b) + 1);
}
