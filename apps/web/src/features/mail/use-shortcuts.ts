// The single-key shortcuts of the mail screen (ux section 1, Shortcuts). Dead while somebody types or a dialog is open.
import { useEffect, useRef } from 'react';
import { isInOverlay, isTypingIn } from '../../lib/typing.ts';

/** What a key does, by the key as the event names it; Shift is part of the name, as in `Shift+I`. */
export type Shortcuts = Readonly<Record<string, () => void>>;

/** The name of a pressed key: `#` and `?` need Shift on some keyboards and are named by themselves. */
export const keyName = (event: Pick<KeyboardEvent, 'key' | 'shiftKey'>): string =>
  event.shiftKey && /^[a-z]$/i.test(event.key) ? `Shift+${event.key.toUpperCase()}` : event.key;

/** Listens on the whole page while mounted. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const current = useRef(shortcuts);
  current.current = shortcuts;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.defaultPrevented;
      if (!isPlain || isTypingIn(event.target) || isInOverlay(event.target)) return;
      const act = current.current[keyName(event)];
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
