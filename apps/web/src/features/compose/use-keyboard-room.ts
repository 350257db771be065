// On a phone the letter fills what the on-screen keyboard leaves of the page: some browsers lay the keyboard over the page
// instead of making it smaller, and Send would be scrolled off with the head. The caret stays in view.
import { type RefObject, useLayoutEffect } from 'react';

/** Shows the place of the caret, or the field that has it. */
function showCaret(frame: HTMLElement): void {
  const { activeElement } = document;
  if (!(activeElement instanceof HTMLElement) || !frame.contains(activeElement)) return;
  const at = activeElement.isContentEditable ? getSelection()?.focusNode : null;
  const place = at instanceof Element ? at : (at?.parentElement ?? activeElement);
  (frame.contains(place) ? place : activeElement).scrollIntoView({ block: 'nearest' });
}

/** Fits the frame into what is seen of the page, as long as `isOn`. */
export function useKeyboardRoom(frame: RefObject<HTMLElement | null>, isOn: boolean): void {
  useLayoutEffect(() => {
    const element = frame.current;
    const seen = globalThis.visualViewport;
    if (!isOn || element === null || !seen) return;
    const { style } = element;
    const fit = () => {
      // Whoever has zoomed in looks at a part of the letter, which stays as large as it is.
      const isWhole = seen.scale < 1.01;
      style.setProperty('top', isWhole ? `${seen.offsetTop}px` : '');
      style.setProperty('height', isWhole ? `${seen.height}px` : '');
    };
    const resize = () => {
      fit();
      showCaret(element);
    };
    fit();
    seen.addEventListener('resize', resize);
    seen.addEventListener('scroll', fit);
    return () => {
      seen.removeEventListener('resize', resize);
      seen.removeEventListener('scroll', fit);
      style.removeProperty('top');
      style.removeProperty('height');
    };
  }, [frame, isOn]);
}
