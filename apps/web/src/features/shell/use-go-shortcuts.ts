// The two-key shortcuts that lead to folders: `g` and then a letter (ux section 1, Shortcuts). Heard before the screens'
// own keys, because the second key of a pair means something else by itself.
import { useEffect, useRef } from 'react';
import { isInOverlay, isTypingIn } from '../../lib/typing.ts';
import { accountPath, mailPath, recieved } from '../../paths.ts';
import { goSequenceMs } from '../../timing.ts';

const targets: Readonly<Record<string, string>> = {
  i: mailPath(recieved),
  s: mailPath('starred'),
  t: mailPath('sent'),
  d: mailPath('drafts'),
  a: mailPath('archived'),
  '!': mailPath('flagged'),
  '#': mailPath('deleted'),
  ',': accountPath,
};

/** Where `g` and then this key lead, or null. */
export const goTarget = (key: string): string | null => targets[key] ?? null;

/** Listens on the whole page while mounted. */
export function useGoShortcuts(navigate: (path: string) => void): void {
  const go = useRef(navigate);
  go.current = navigate;
  useEffect(() => {
    let startedAt = Number.NEGATIVE_INFINITY;
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTypingIn(event.target) || isInOverlay(event.target)) return;
      // The Shift of `#` and `!` is a key press of its own.
      if (event.key === 'Shift') return;
      const isSecond = event.timeStamp - startedAt < goSequenceMs;
      startedAt = !isSecond && event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
      const target = isSecond ? goTarget(event.key) : null;
      if (target === null) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      go.current(target);
    };
    addEventListener('keydown', onKey, { capture: true });
    return () => removeEventListener('keydown', onKey, { capture: true });
  }, []);
}
