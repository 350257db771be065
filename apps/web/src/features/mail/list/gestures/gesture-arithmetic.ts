// What a finger on the list means, by numbers alone: where it may begin, which way it goes, what it would do and how far it has
// to go for that (docs/acceptance.md 75, 76, 77). Pixels throughout; x grows to the right whatever the language.
import type { Preferences, SwipeAction } from '../../../../session/state/preferences.ts';

/** From here on letting a swept row go acts. */
export const ACTS_AT_PX = 120;
/** A pull this long asks for new mail; the list follows at half the finger's pace, and not without end. */
export const REFRESHES_AT_PX = 72;
const PULLED_MAX_PX = REFRESHES_AT_PX * 1.5;
/** A finger that moved less has not chosen a direction yet. */
const SLACK_PX = 12;
/** At both edges of the screen a sideways finger is the system's: it goes back. */
const EDGE_PX = 24;
/** As much more sideways than up or down a sweep is; otherwise the finger scrolls. */
const SIDEWAYS_RATIO = 1.5;

/** What a finger that moved by this much is about; null while it has not moved enough to tell. */
export function directionOf(dx: number, dy: number): 'sideways' | 'down' | 'up' | null {
  if (Math.abs(dx) < SLACK_PX && Math.abs(dy) < SLACK_PX) return null;
  if (Math.abs(dx) > Math.abs(dy) * SIDEWAYS_RATIO) return 'sideways';
  return dy > 0 ? 'down' : 'up';
}

/** Whether a finger that was put down there, on a screen this wide, is left to the system's own gesture. */
export const isAtEdge = (x: number, widthPx: number): boolean => x < EDGE_PX || x > widthPx - EDGE_PX;

export type Sweep = {
  readonly action: Exclude<SwipeAction, 'none'>;
  /** 1 to the right, -1 to the left. */
  readonly sign: 1 | -1;
  /** Towards the end of the line. */
  readonly isToEnd: boolean;
};

/** What a sweep in this direction does; null where the person wants nothing of it. */
export function sweepOf(
  dx: number,
  isRtl: boolean,
  chosen: Pick<Preferences, 'swipeEnd' | 'swipeStart'>,
): Sweep | null {
  const isToEnd = dx > 0 !== isRtl;
  const action = isToEnd ? chosen.swipeEnd : chosen.swipeStart;
  return action === 'none' ? null : { action, sign: dx > 0 ? 1 : -1, isToEnd };
}

/** How far a row is swept: back over its place it does not go. */
export const sweptPx = (dx: number, { sign }: Pick<Sweep, 'sign'>): number => Math.max(0, dx * sign);

/** How far a pull at the list has come, and where the list stands for it. */
export function pullOf(dy: number): { readonly pulledPx: number; readonly offsetPx: number } {
  const pulledPx = Math.max(0, dy / 2);
  return { pulledPx, offsetPx: Math.min(pulledPx, PULLED_MAX_PX) };
}
