// Pure calculations for touch gestures on the list: where a gesture may begin, its direction, what
// it does, and how far it must go (docs/acceptance.md 75, 76, 77). All lengths are in pixels; x
// grows to the right in every language.
import type { Preferences, SwipeAction } from '../../../../session/state/preferences.ts';

/** Distance from which releasing a swiped row performs the action. */
export const ACTS_AT_PX = 120;
/**
 * Distance of a pull that refreshes the list. The list follows at half the finger's speed, up to a
 * limit.
 */
export const REFRESHES_AT_PX = 72;
const PULLED_MAX_PX = REFRESHES_AT_PX * 1.5;
/** Movement below which a touch has no direction yet. */
const SLACK_PX = 12;
/** At both edges of the screen, horizontal gestures belong to the system (back navigation). */
const EDGE_PX = 24;
/**
 * Ratio of horizontal to vertical movement from which a gesture is a swipe; below it, the touch
 * scrolls.
 */
const SIDEWAYS_RATIO = 1.5;

/** Returns the direction of a movement, or null while it is too short to tell. */
export function directionOf(dx: number, dy: number): 'sideways' | 'down' | 'up' | null {
  if (Math.abs(dx) < SLACK_PX && Math.abs(dy) < SLACK_PX) return null;
  if (Math.abs(dx) > Math.abs(dy) * SIDEWAYS_RATIO) return 'sideways';
  return dy > 0 ? 'down' : 'up';
}

/**
 * Returns whether a touch that begins here, on a screen of this width, is left to the system's own
 * gesture.
 */
export const isAtEdge = (x: number, widthPx: number): boolean => x < EDGE_PX || x > widthPx - EDGE_PX;

export type Sweep = {
  readonly action: Exclude<SwipeAction, 'none'>;
  /** 1 for right, -1 for left. */
  readonly sign: 1 | -1;
  /** Whether the swipe goes toward the end of the line. */
  readonly isToEnd: boolean;
};

/** Returns what a swipe in this direction does, or null when the user assigned no action to it. */
export function sweepOf(
  dx: number,
  isRtl: boolean,
  chosen: Pick<Preferences, 'swipeEnd' | 'swipeStart'>,
): Sweep | null {
  const isToEnd = dx > 0 !== isRtl;
  const action = isToEnd ? chosen.swipeEnd : chosen.swipeStart;
  return action === 'none' ? null : { action, sign: dx > 0 ? 1 : -1, isToEnd };
}

/** Returns how far a row is swiped. It never moves back past its place. */
export const sweptPx = (dx: number, { sign }: Pick<Sweep, 'sign'>): number => Math.max(0, dx * sign);

/** Returns the distance of a pull and the resulting offset of the list. */
export function pullOf(dy: number): { readonly pulledPx: number; readonly offsetPx: number } {
  const pulledPx = Math.max(0, dy / 2);
  return { pulledPx, offsetPx: Math.min(pulledPx, PULLED_MAX_PX) };
}
