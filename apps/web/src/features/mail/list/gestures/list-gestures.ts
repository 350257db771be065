// Touch on the list: a row that is swept aside is archived, deleted, marked, starred or snoozed and comes back where it was not
// swept far enough; a pull at the very top asks for new mail; a long press selects (docs/acceptance.md 75, 76, 77). Listens on
// the list, not on its rows: those come and go. What the numbers mean is in gesture-arithmetic.ts.
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

/** Takes what a finger that goes this way is about; null where it scrolls. */
function takeHold(
  pane: HTMLElement,
  from: Touch,
  direction: ReturnType<typeof directionOf>,
  dx: number,
): Held | null {
  if (direction === 'sideways') return beginSwipe(from, dx);
  return direction === 'down' ? beginPull(pane) : null;
}

/** Starts listening inside the list pane; returns the way to stop. `onRefresh` settles when new mail was asked for. */
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
    // What is held may be of a finger whose end was not heard of: it goes back.
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
    // The page must not scroll or reload behind it.
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
