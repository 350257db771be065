/**
 * State machine of touch gestures on the list: a pure reducer from events to the state, and the
 * outcome when a gesture ends.
 */
import { ACTS_AT_PX, REFRESHES_AT_PX } from './gesture-arithmetic.ts';

/** Where a touch began. */
export type Touch = { readonly x: number; readonly y: number; readonly target: Element };

/** `Held` is the element that the finger moves: a swiped row, or the list that is pulled down. */
export type Gesture<Held extends { readonly kind: 'swipe' | 'pull' }> =
  | { readonly phase: 'idle' }
  /** A touch has begun and has no direction yet. */
  | { readonly phase: 'touched'; readonly from: Touch }
  | { readonly phase: 'held'; readonly from: Touch; readonly held: Held; readonly movedPx: number };

export type GestureEvent<Held> =
  | { readonly kind: 'touched'; readonly from: Touch }
  | { readonly kind: 'begun'; readonly held: Held }
  | { readonly kind: 'moved'; readonly movedPx: number }
  /**
   * The touch ended or does something else: it scrolls, it selected a row, or a second finger
   * touched.
   */
  | { readonly kind: 'over' };

export const IDLE = { phase: 'idle' } as const;

/**
 * Returns the state after the event. A held element stays held until the gesture is over, whatever
 * else touches the list.
 */
export function reduceGesture<Held extends { readonly kind: 'swipe' | 'pull' }>(
  gesture: Gesture<Held>,
  event: GestureEvent<Held>,
): Gesture<Held> {
  switch (event.kind) {
    case 'touched':
      return gesture.phase === 'held'
        ? { ...gesture, from: event.from, movedPx: 0 }
        : { phase: 'touched', from: event.from };
    case 'begun':
      return gesture.phase === 'touched'
        ? { phase: 'held', from: gesture.from, held: event.held, movedPx: 0 }
        : gesture;
    case 'moved':
      return gesture.phase === 'held' ? { ...gesture, movedPx: event.movedPx } : gesture;
    case 'over':
      return IDLE;
  }
}

/** Returns what happens to the held element when the finger is lifted or the touch is canceled. */
export function endOf(
  gesture: Gesture<{ readonly kind: 'swipe' | 'pull' }>,
  isLetGo: boolean,
): 'nothing' | 'back' | 'act' | 'refresh' {
  if (gesture.phase !== 'held') return 'nothing';
  if (!isLetGo) return 'back';
  if (gesture.held.kind === 'pull') return gesture.movedPx >= REFRESHES_AT_PX ? 'refresh' : 'back';
  return gesture.movedPx >= ACTS_AT_PX ? 'act' : 'back';
}
