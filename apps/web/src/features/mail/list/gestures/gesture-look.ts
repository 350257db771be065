/**
 * The visible part of gestures on the list: the row or list that follows the finger, the hint
 * behind it, and the return animation. All movement is set through the CSSOM.
 */
import { t } from '../../../../lib/language.ts';
import { preferences } from '../../../../session/state/preferences.ts';
import { GESTURE_RETURN_MS, REFRESH_PATIENCE_MS } from '../../../../timing.ts';
import { type Offer, offerOfSwipe } from '../../state/mail-actions.ts';
import type { Place } from '../../state/mail-places.ts';
import {
  ACTS_AT_PX,
  isAtEdge,
  pullOf,
  REFRESHES_AT_PX,
  type Sweep,
  sweepOf,
  sweptPx,
} from './gesture-arithmetic.ts';
import type { Touch } from './gesture-machine.ts';

/** Offset of the list while new mail is requested, in pixels. */
const WAITS_AT_PX = 48;

type Swipe = Sweep & {
  readonly kind: 'swipe';
  readonly id: string;
  readonly offer: Offer;
  readonly moving: HTMLElement;
  readonly hint: HTMLElement;
};
type Pull = {
  readonly kind: 'pull';
  readonly moving: HTMLElement;
  readonly hint: HTMLElement;
};

/** The element that the finger moves. */
export type Held = Swipe | Pull;

const tones: Readonly<Record<Sweep['action'], string>> = {
  archive: 'bg-secure-bg text-secure',
  delete: 'bg-danger-bg text-danger',
  read: 'bg-selected text-accent-text',
  star: 'bg-warn-bg text-warn',
  snooze: 'bg-warn-bg text-warn',
};

/** Returns the action that a swipe performs on the row's conversation, or null for none. */
const offerOfRow = (action: Sweep['action'], row: HTMLElement): Offer | null =>
  offerOfSwipe(action, {
    where: row.dataset.place as Place,
    unread: row.dataset.unread !== undefined,
    starred: row.querySelector('[aria-pressed=true]') !== null,
  });

const wantsStillness = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

function hintOf(className: string): HTMLElement {
  const hint = document.createElement('div');
  hint.setAttribute('aria-hidden', 'true');
  // The hint may outlive its row for a moment and must not intercept the next touch.
  hint.className = `pointer-events-none ${className}`;
  return hint;
}

/**
 * Starts a swipe of the row under the finger, or returns null when a swipe in this direction does
 * nothing.
 */
export function beginSwipe({ target, x }: Touch, dx: number): Swipe | null {
  const item = target.closest<HTMLElement>('li[data-index]');
  const row = item?.querySelector<HTMLElement>('[data-row]');
  if (item === null || row === null || row === undefined || isAtEdge(x, innerWidth)) return null;
  const sweep = sweepOf(dx, getComputedStyle(item).direction === 'rtl', preferences());
  const offer = sweep === null ? null : offerOfRow(sweep.action, row);
  if (sweep === null || offer === null) return null;
  const hint = hintOf(
    `absolute inset-0 flex items-center px-6 text-control font-semibold ${tones[sweep.action]} ${sweep.isToEnd ? '' : 'justify-end'}`,
  );
  hint.textContent = offer.label;
  // The hint is behind this row only.
  item.style.position = 'relative';
  item.prepend(hint);
  return { kind: 'swipe', id: row.dataset.row ?? '', offer, moving: row, hint, ...sweep };
}

/** Starts a pull of the list, or returns null when the list is not at its top. */
export function beginPull(pane: HTMLElement): Pull | null {
  const list = pane.querySelector<HTMLElement>('#list');
  if (list === null || list.scrollTop > 0) return null;
  const hint = hintOf('absolute inset-x-0 top-14 z-0 pt-3 text-center text-control text-ink-2');
  pane.append(hint);
  return { kind: 'pull', moving: list, hint };
}

/** Moves the held element with the finger. Returns its current offset in pixels. */
export function follow(
  held: Held,
  by: { readonly dx: number; readonly dy: number },
  beforePx: number,
): number {
  if (held.kind === 'swipe') {
    const movedPx = sweptPx(by.dx, held);
    held.moving.style.transform = `translateX(${held.sign * movedPx}px)`;
    held.hint.dataset.ready = String(movedPx >= ACTS_AT_PX);
    held.hint.style.opacity = movedPx >= ACTS_AT_PX ? '1' : '0.7';
    if (beforePx < ACTS_AT_PX && movedPx >= ACTS_AT_PX) navigator.vibrate?.(10);
    return movedPx;
  }
  const { pulledPx, offsetPx } = pullOf(by.dy);
  held.moving.style.transform = `translateY(${offsetPx}px)`;
  held.hint.textContent = pulledPx >= REFRESHES_AT_PX ? t('Release to refresh') : t('Pull to refresh');
  return pulledPx;
}

/** Return animations, one at a time. */
export function createReturns() {
  /** Finishes a running return animation immediately. */
  let settle: (() => void) | null = null;
  /** Animates the moved element back to its place, then removes the hint behind it. */
  const putBack = ({ kind, moving, hint }: Held) => {
    // The pull hint is above the list, not behind it: returning rows must not pass under its text.
    if (kind === 'pull') hint.remove();
    const done = () => {
      clearTimeout(timer);
      moving.style.transition = '';
      hint.parentElement?.style.removeProperty('position');
      hint.remove();
      settle = null;
    };
    const timer = setTimeout(done, wantsStillness() ? 0 : GESTURE_RETURN_MS);
    if (!wantsStillness()) moving.style.transition = `transform ${GESTURE_RETURN_MS}ms ease-out`;
    moving.style.transform = '';
    settle = done;
  };
  return {
    putBack,
    /** Keeps the list slightly lowered until the work settles or a time limit passes. */
    putBackAfter: (held: Held, work: () => Promise<unknown>) => {
      held.moving.style.transform = `translateY(${WAITS_AT_PX}px)`;
      held.hint.textContent = t('Refreshing…');
      let isOver = false;
      const over = () => {
        clearTimeout(patience);
        if (!isOver) putBack(held);
        isOver = true;
      };
      const patience = setTimeout(over, REFRESH_PATIENCE_MS);
      settle = () => {
        over();
        settle?.();
      };
      work().then(over, over);
    },
    settle: () => settle?.(),
  };
}
