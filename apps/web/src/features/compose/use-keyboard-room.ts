// Fits the composer on a phone into the area above the on-screen keyboard: some browsers overlay
// the keyboard instead of resizing the page, and Send would scroll out of view with the header.
// Keeps the caret visible.
import { type RefObject, useLayoutEffect } from 'react';

/** Scrolls the caret into view, or the field that contains it. */
function showCaret(frame: HTMLElement): void {
  const { activeElement } = document;
  if (!(activeElement instanceof HTMLElement) || !frame.contains(activeElement)) return;
  const at = activeElement.isContentEditable ? getSelection()?.focusNode : null;
  const place = at instanceof Element ? at : (at?.parentElement ?? activeElement);
  (frame.contains(place) ? place : activeElement).scrollIntoView({ block: 'nearest' });
}

/** Fits the frame into the visible part of the page while `isOn`. */
export function useKeyboardRoom(frame: RefObject<HTMLElement | null>, isOn: boolean): void {
  useLayoutEffect(() => {
    const element = frame.current;
    const seen = globalThis.visualViewport;
    if (!isOn || element === null || !seen) return;
    const { style } = element;
    const fit = () => {
      // A user who has zoomed in sees part of the composer, which keeps its size.
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
