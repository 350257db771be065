// Touch on the list: a row that is swept aside is archived, deleted, marked, starred or snoozed and comes back where it was not
// swept far enough; a pull at the very top asks for new mail; a long press selects (docs/acceptance.md 75, 76, 77). Listens on
// the list, not on its rows: those come and go. Everything moved is moved through the CSSOM. What the numbers mean is in
// gesture-arithmetic.ts.
import { t } from '../../../lib/language.ts';
import { preferences } from '../../../session/state/preferences.ts';
import { GESTURE_RETURN_MS, REFRESH_PATIENCE_MS } from '../../../timing.ts';
import { type Offer, offerOfSwipe } from '../state/mail-actions.ts';
import type { Place } from '../state/mail-places.ts';
import {
  ACTS_AT_PX,
  directionOf,
  isAtEdge,
  pullOf,
  REFRESHES_AT_PX,
  type Sweep,
  sweepOf,
  sweptPx,
} from './gesture-arithmetic.ts';
import { listenToPresses } from './list-press.ts';
import type { MailRowActions } from './MailRow.tsx';

/** How far down the list waits while new mail is asked for, pixels. */
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

const tones: Readonly<Record<Sweep['action'], string>> = {
  archive: 'bg-secure-bg text-secure',
  delete: 'bg-danger-bg text-danger',
  read: 'bg-selected text-accent-text',
  star: 'bg-warn-bg text-warn',
  snooze: 'bg-warn-bg text-warn',
};

/** What a sweep does with the row's mail; null when nothing. */
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
  // It stays a moment longer than its row may, and must not be what the next finger meets.
  hint.className = `pointer-events-none ${className}`;
  return hint;
}

/** Starts listening inside the list pane; returns the way to stop. `onRefresh` settles when new mail was asked for. */
export function listenToGestures(
  pane: HTMLElement,
  actions: MailRowActions,
  onRefresh: () => Promise<unknown>,
): () => void {
  let start: { x: number; y: number; target: Element } | null = null;
  let current: Swipe | Pull | null = null;
  /** Ends at once what still moves back. */
  let settle: (() => void) | null = null;
  let moved = 0;

  const stopPresses = listenToPresses(pane, id => {
    start = null;
    actions.onCheck(id, 'one');
  });

  const beginSwipe = (target: Element, fromX: number, dx: number): Swipe | null => {
    const item = target.closest<HTMLElement>('li[data-index]');
    const row = item?.querySelector<HTMLElement>('[data-row]');
    if (item === null || row === null || row === undefined || isAtEdge(fromX, innerWidth)) return null;
    const sweep = sweepOf(dx, getComputedStyle(item).direction === 'rtl', preferences());
    const offer = sweep === null ? null : offerOfRow(sweep.action, row);
    if (sweep === null || offer === null) return null;
    const hint = hintOf(
      `absolute inset-0 flex items-center px-6 text-control font-semibold ${tones[sweep.action]} ${sweep.isToEnd ? '' : 'justify-end'}`,
    );
    hint.textContent = offer.label;
    // It lies behind this row alone.
    item.style.position = 'relative';
    item.prepend(hint);
    return { kind: 'swipe', id: row.dataset.row ?? '', offer, moving: row, hint, ...sweep };
  };
  const beginPull = (): Pull | null => {
    const list = pane.querySelector<HTMLElement>('#list');
    if (list === null || list.scrollTop > 0) return null;
    const hint = hintOf('absolute inset-x-0 top-14 z-0 pt-3 text-center text-control text-ink-2');
    pane.append(hint);
    return { kind: 'pull', moving: list, hint };
  };
  const show = ({ dx, dy }: { readonly dx: number; readonly dy: number }) => {
    const before = moved;
    if (current?.kind === 'swipe') {
      moved = sweptPx(dx, current);
      current.moving.style.transform = `translateX(${current.sign * moved}px)`;
      current.hint.dataset.ready = String(moved >= ACTS_AT_PX);
      current.hint.style.opacity = moved >= ACTS_AT_PX ? '1' : '0.7';
      if (before < ACTS_AT_PX && moved >= ACTS_AT_PX) navigator.vibrate?.(10);
    } else if (current?.kind === 'pull') {
      const { pulledPx, offsetPx } = pullOf(dy);
      moved = pulledPx;
      current.moving.style.transform = `translateY(${offsetPx}px)`;
      current.hint.textContent = moved >= REFRESHES_AT_PX ? t('Release to refresh') : t('Pull to refresh');
    }
  };
  /** Lets what was moved glide back to its place; what stood behind it goes when it is there. */
  const putBack = ({ kind, moving, hint }: Swipe | Pull) => {
    // Over the list, not behind it: rows that glide back must not pass under its words.
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
  const refresh = (pull: Pull) => {
    pull.moving.style.transform = `translateY(${WAITS_AT_PX}px)`;
    pull.hint.textContent = t('Refreshing…');
    let isOver = false;
    const over = () => {
      clearTimeout(patience);
      if (!isOver) putBack(pull);
      isOver = true;
    };
    const patience = setTimeout(over, REFRESH_PATIENCE_MS);
    settle = () => {
      over();
      settle?.();
    };
    onRefresh().then(over, over);
  };
  const end = (acts: boolean) => {
    const gesture = current;
    start = null;
    current = null;
    if (gesture === null) return;
    if (gesture.kind === 'pull' && acts && moved >= REFRESHES_AT_PX) return refresh(gesture);
    putBack(gesture);
    if (gesture.kind === 'swipe' && acts && moved >= ACTS_AT_PX)
      actions.onAct(gesture.id, gesture.offer.action, gesture.moving);
  };
  const onStart = (event: TouchEvent) => {
    const [touch] = event.touches;
    if (event.touches.length !== 1 || touch === undefined || !(event.target instanceof Element)) {
      end(false);
      return;
    }
    start = { x: touch.clientX, y: touch.clientY, target: event.target };
    moved = 0;
  };
  const onMove = (event: TouchEvent) => {
    const [touch] = event.touches;
    if (start === null || touch === undefined) return;
    const by = { dx: touch.clientX - start.x, dy: touch.clientY - start.y };
    if (current === null) {
      const direction = directionOf(by.dx, by.dy);
      if (direction === null) return;
      settle?.();
      if (direction === 'sideways') current = beginSwipe(start.target, start.x, by.dx);
      else if (direction === 'down') current = beginPull();
      // Neither: the finger scrolls.
      if (current === null) {
        start = null;
        return;
      }
    }
    // The page must not scroll or reload behind it.
    if (event.cancelable) event.preventDefault();
    show(by);
  };
  const listening = new AbortController();
  const { signal } = listening;
  pane.addEventListener('touchstart', onStart, { passive: true, signal });
  pane.addEventListener('touchmove', onMove, { passive: false, signal });
  pane.addEventListener('touchend', () => end(true), { signal });
  pane.addEventListener('touchcancel', () => end(false), { signal });
  return () => {
    end(false);
    settle?.();
    stopPresses();
    listening.abort();
  };
}
