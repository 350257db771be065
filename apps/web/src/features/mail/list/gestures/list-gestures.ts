// Touch gestures on the list. Swiping a row archives, deletes, stars, snoozes or changes its read
// state; the row returns when it was not swiped far enough. Pulling at the very top requests new
// mail. A long press selects (docs/acceptance.md 75, 76, 77). Listens on the list, because its rows
// come and go. The thresholds are in gesture-arithmetic.ts.
import type { MailRowActions } from '../MailRow.tsx';
import { directionOf } from './gesture-arithmetic.ts';
import { beginPull, beginSwipe, createReturns, follow, type Held } from './gesture-look.ts';
import {
  endOf,
  type Gesture,
  type GestureEvent,
  IDLE,
  reduceGesture,
  type Touch,
} from './gesture-machine.ts';
import { listenToPresses } from './list-press.ts';

/** Starts the gesture for this direction, or returns null when the touch scrolls. */
function takeHold(
  pane: HTMLElement,
  from: Touch,
  direction: ReturnType<typeof directionOf>,
  dx: number,
): Held | null {
  if (direction === 'sideways') return beginSwipe(from, dx);
  return direction === 'down' ? beginPull(pane) : null;
}

/**
 * Starts listening inside the list pane. Returns the function that stops it. `onRefresh` settles
 * when the request for new mail is complete.
 */
export function listenToGestures(
  pane: HTMLElement,
  actions: MailRowActions,
  onRefresh: () => Promise<unknown>,
): () => void {
  let gesture: Gesture<Held> = IDLE;
  const happen = (event: GestureEvent<Held>) => {
    gesture = reduceGesture(gesture, event);
  };
  const returns = createReturns();
  const end = (isLetGo: boolean) => {
    const ended = gesture;
    happen({ kind: 'over' });
    if (ended.phase !== 'held') return;
    const { held } = ended;
    const outcome = endOf(ended, isLetGo);
    if (outcome === 'refresh') return returns.putBackAfter(held, onRefresh);
    returns.putBack(held);
    if (outcome === 'act' && held.kind === 'swipe') actions.onAct(held.id, held.offer.action, held.moving);
  };
  const stopPresses = listenToPresses(pane, id => {
    // The held element may belong to a touch whose end event was lost; put it back.
    end(false);
    actions.onCheck(id, 'one');
  });
  const onStart = ({ touches, target }: TouchEvent) => {
    const [touch] = touches;
    if (touches.length !== 1 || touch === undefined || !(target instanceof Element)) end(false);
    else happen({ kind: 'touched', from: { x: touch.clientX, y: touch.clientY, target } });
  };
  const onMove = (event: TouchEvent) => {
    const [touch] = event.touches;
    if (gesture.phase === 'idle' || touch === undefined) return;
    const by = { dx: touch.clientX - gesture.from.x, dy: touch.clientY - gesture.from.y };
    if (gesture.phase === 'touched') {
      const direction = directionOf(by.dx, by.dy);
      if (direction === null) return;
      returns.settle();
      const held = takeHold(pane, gesture.from, direction, by.dx);
      happen(held === null ? { kind: 'over' } : { kind: 'begun', held });
    }
    if (gesture.phase !== 'held') return;
    // The page must not scroll or reload during the gesture.
    if (event.cancelable) event.preventDefault();
    happen({ kind: 'moved', movedPx: follow(gesture.held, by, gesture.movedPx) });
  };
  const listening = new AbortController();
  const { signal } = listening;
  pane.addEventListener('touchstart', onStart, { passive: true, signal });
  pane.addEventListener('touchmove', onMove, { passive: false, signal });
  pane.addEventListener('touchend', () => end(true), { signal });
  pane.addEventListener('touchcancel', () => end(false), { signal });
  return () => {
    end(false);
    returns.settle();
    stopPresses();
    listening.abort();
  };
}
