// Keeps the keyboard focus in a part of a page whose buttons come and go: when the focused button
// disappears after a step, the part itself gets the focus, so that Tab continues from there instead
// of from the top of the page.
import { type RefObject, useEffect, useRef } from 'react';

/**
 * Returns a ref for the part's element, which needs `tabIndex={-1}`; `step` names what the part
 * shows and changes with its buttons.
 */
export function useKeptFocus<Part extends HTMLElement>(step: string): RefObject<Part | null> {
  const part = useRef<Part>(null);
  const held = useRef<Element | null>(null);
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      held.current = target instanceof Element ? target : null;
    };
    const element = part.current;
    element?.addEventListener('focusin', note);
    return () => element?.removeEventListener('focusin', note);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: buttons come and go with the step
  useEffect(() => {
    if (held.current === null || held.current.isConnected) return;
    held.current = null;
    if (document.activeElement === document.body) part.current?.focus({ preventScroll: true });
  }, [step]);
  return part;
}
