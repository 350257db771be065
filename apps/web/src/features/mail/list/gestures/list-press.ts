// A long press on a row selects it, as does a tap on its avatar (docs/interface.md#selection).
// Suppresses the system's reactions to a long press on a link (a menu, dragging, a preview of the
// target) and the click at its end.
import { LONG_PRESS_MS } from '../../../../timing.ts';

/** Tolerated movement of the finger, in pixels. */
const TREMBLE_MAX_PX = 10;

type Press = {
  readonly x: number;
  readonly y: number;
  readonly timer: ReturnType<typeof setTimeout>;
};

/**
 * Starts listening inside the list pane. Returns the function that stops it. `onPress` is called
 * once per press, with the row's id.
 */
export function listenToPresses(pane: HTMLElement, onPress: (id: string) => void): () => void {
  let begun: Press | null = null;
  /** True from the long press until the next touch or mouse press. */
  let wasLong = false;
  const giveUp = () => {
    clearTimeout(begun?.timer);
    begun = null;
  };
  /** Waits for the next frame, so that movement during a busy page is processed first. */
  const select = (press: Press, id: string) =>
    requestAnimationFrame(() => {
      if (press !== begun) return;
      giveUp();
      wasLong = true;
      navigator.vibrate?.(10);
      onPress(id);
    });
  const refuse = (event: Event) => {
    if (!wasLong && begun === null) return;
    event.preventDefault();
  };
  const listening = new AbortController();
  const passive = { passive: true, signal: listening.signal };
  pane.style.setProperty('-webkit-touch-callout', 'none');
  pane.addEventListener(
    'pointerdown',
    () => {
      wasLong = false;
    },
    passive,
  );
  pane.addEventListener(
    'touchstart',
    ({ touches: { 0: touch, length }, target }) => {
      giveUp();
      const link = target instanceof Element ? target.closest('[data-row-focus]') : null;
      const id = link?.closest<HTMLElement>('[data-row]')?.dataset.row;
      if (length !== 1 || touch === undefined || id === undefined) return;
      const press: Press = {
        x: touch.clientX,
        y: touch.clientY,
        timer: setTimeout(() => select(press, id), LONG_PRESS_MS),
      };
      begun = press;
    },
    passive,
  );
  pane.addEventListener(
    'touchmove',
    ({ touches: [touch] }) => {
      if (begun === null || touch === undefined) return;
      if (Math.hypot(touch.clientX - begun.x, touch.clientY - begun.y) > TREMBLE_MAX_PX) giveUp();
    },
    passive,
  );
  pane.addEventListener('touchend', giveUp, passive);
  pane.addEventListener('touchcancel', giveUp, passive);
  pane.addEventListener('contextmenu', refuse, { signal: listening.signal });
  pane.addEventListener('dragstart', refuse, { signal: listening.signal });
  pane.addEventListener(
    'click',
    event => {
      if (!wasLong) return;
      wasLong = false;
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true, signal: listening.signal },
  );
  return () => {
    giveUp();
    pane.style.removeProperty('-webkit-touch-callout');
    listening.abort();
  };
}
