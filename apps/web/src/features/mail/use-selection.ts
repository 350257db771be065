// Which rows of the list are checked: one by one, by range, all that are loaded.
import { useCallback, useRef, useState } from 'react';
import type { CheckMode } from './MailRow.tsx';

const none: ReadonlySet<string> = new Set();

/** The checked rows of a list; `order` holds the loaded ids as they are shown. Another `list` starts with none. */
export function useSelection(order: readonly string[], list: string) {
  const [checked, setChecked] = useState<ReadonlySet<string>>(none);
  const latest = useRef(order);
  latest.current = order;
  const anchor = useRef<string | null>(null);
  const check = useCallback((id: string, mode: CheckMode) => {
    // Read now: the change itself is worked out later, when the anchor has moved on.
    const from = anchor.current;
    setChecked(before => {
      const next = new Set(before);
      if (mode === 'range' && from !== null) {
        for (const one of between(latest.current, from, id)) next.add(one);
      } else if (!next.delete(id)) {
        next.add(id);
      }
      return next;
    });
    anchor.current = id;
  }, []);
  const clear = useCallback(() => {
    anchor.current = null;
    setChecked(none);
  }, []);
  const checkAll = useCallback(() => setChecked(new Set(latest.current)), []);
  const [shown, setShown] = useState(list);
  if (shown !== list) {
    setShown(list);
    clear();
  }
  const visible = new Set(order);
  const present = new Set([...checked].filter(id => visible.has(id)));
  return { checked: present.size === checked.size ? checked : present, check, clear, checkAll };
}

/** The ids from one to another, both included, whichever stands first. */
export function between(order: readonly string[], from: string, to: string): readonly string[] {
  const [a, b] = [order.indexOf(from), order.indexOf(to)];
  if (a < 0 || b < 0) return [to];
  return order.slice(Math.min(a, b), Math.max(a, b) + 1);
}
