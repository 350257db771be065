// Touch on the list: a row that is swept aside is archived, deleted, marked or snoozed after 120 pixels and comes back
// after less; a pull at the very top asks for new mail (ux 75 to 77). Listens on the list, not on its rows: those come and
// go. Everything moved is moved through the CSSOM.
import { t } from '../../lib/language.ts';
import { preferences, type SwipeAction } from '../../session/preferences.ts';
import type { MailRowActions } from './MailRow.tsx';

/** From here on letting go acts. */
const actsAtPx = 120;
/** A finger that moved less has not chosen a direction yet. */
const slackPx = 12;
/** A pull this long asks for new mail. */
const refreshesAtPx = 72;

interface Swipe {
  readonly kind: 'swipe';
  readonly id: string;
  readonly row: HTMLElement;
  readonly hint: HTMLElement;
  readonly action: SwipeAction;
  readonly sign: 1 | -1;
}
interface Pull {
  readonly kind: 'pull';
  readonly list: HTMLElement;
  readonly hint: HTMLElement;
}

const tones: Readonly<Record<Exclude<SwipeAction, 'none'>, string>> = {
  archive: 'bg-secure-bg text-secure',
  delete: 'bg-danger-bg text-danger',
  read: 'bg-selected text-accent-text',
  snooze: 'bg-warn-bg text-warn',
};

function hintText(action: SwipeAction, row: HTMLElement): string {
  const place = row.dataset.place;
  if (action === 'archive' && place === 'deleted') return t('Restore');
  if (action === 'archive' && place === 'flagged') return t('Not spam');
  if (action === 'archive' && place === 'archived') return t('Move to inbox');
  if (action === 'delete') return place === 'deleted' ? t('Delete for ever') : t('Delete');
  if (action === 'read') return row.dataset.unread === undefined ? t('Mark unread') : t('Mark read');
  return action === 'snooze' ? t('Snooze') : t('Archive');
}

function run(action: SwipeAction, id: string, row: HTMLElement, actions: MailRowActions): void {
  if (action === 'archive') actions.onArchive(id);
  else if (action === 'delete') actions.onDelete(id);
  else if (action === 'read') actions.onToggleRead(id);
  else if (action === 'snooze') actions.onSnooze(id, row);
}

/** Starts listening inside the list pane; returns the way to stop. */
export function listenToGestures(
  pane: HTMLElement,
  actions: MailRowActions,
  onRefresh: () => void,
): () => void {
  let start: { x: number; y: number; target: Element } | null = null;
  let current: Swipe | Pull | null = null;
  let moved = 0;

  const beginSwipe = (target: Element, dx: number): Swipe | null => {
    const item = target.closest<HTMLElement>('li[data-index]');
    const row = item?.querySelector<HTMLElement>('[data-row]');
    if (item === null || row === null || row === undefined) return null;
    const isRtl = getComputedStyle(item).direction === 'rtl';
    const isToEnd = dx > 0 !== isRtl;
    const action = isToEnd ? preferences().swipeEnd : preferences().swipeStart;
    if (action === 'none') return null;
    const hint = document.createElement('div');
    hint.setAttribute('aria-hidden', 'true');
    hint.className = `absolute inset-0 flex items-center px-6 text-control font-semibold ${tones[action]} ${isToEnd ? '' : 'justify-end'}`;
    hint.textContent = hintText(action, row);
    item.prepend(hint);
    return { kind: 'swipe', id: row.dataset.row ?? '', row, hint, action, sign: dx > 0 ? 1 : -1 };
  };
  const beginPull = (dy: number): Pull | null => {
    const list = pane.querySelector<HTMLElement>('#list');
    if (list === null || dy <= 0 || list.scrollTop > 0) return null;
    const hint = document.createElement('div');
    hint.setAttribute('aria-hidden', 'true');
    hint.className = 'pointer-events-none absolute inset-x-0 top-14 z-0 text-center text-control text-ink-2';
    pane.append(hint);
    return { kind: 'pull', list, hint };
  };
  const show = () => {
    if (current?.kind === 'swipe') {
      current.row.style.transform = `translateX(${current.sign * Math.max(0, moved)}px)`;
      current.hint.dataset.ready = String(moved >= actsAtPx);
      current.hint.style.opacity = moved >= actsAtPx ? '1' : '0.7';
    } else if (current?.kind === 'pull') {
      current.list.style.transform = `translateY(${Math.min(moved, refreshesAtPx * 1.5)}px)`;
      current.hint.textContent = moved >= refreshesAtPx ? t('Release to refresh') : t('Pull to refresh');
    }
  };
  const end = (acts: boolean) => {
    const gesture = current;
    start = null;
    current = null;
    if (gesture === null) return;
    const moving = gesture.kind === 'swipe' ? gesture.row : gesture.list;
    moving.style.transform = '';
    gesture.hint.remove();
    if (!acts) return;
    if (gesture.kind === 'pull') {
      if (moved >= refreshesAtPx) onRefresh();
    } else if (moved >= actsAtPx) run(gesture.action, gesture.id, gesture.row, actions);
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
    const dx = touch.clientX - start.x;
    const dy = touch.clientY - start.y;
    if (current === null) {
      if (Math.abs(dx) < slackPx && Math.abs(dy) < slackPx) return;
      current = Math.abs(dx) > Math.abs(dy) * 1.5 ? beginSwipe(start.target, dx) : beginPull(dy);
      // Neither: the finger scrolls.
      if (current === null) {
        start = null;
        return;
      }
    }
    const before = moved;
    moved = current.kind === 'swipe' ? dx * current.sign : dy / 2;
    // The page must not scroll or reload behind it.
    if (event.cancelable) event.preventDefault();
    if (current.kind === 'swipe' && before < actsAtPx && moved >= actsAtPx) navigator.vibrate?.(10);
    show();
  };
  const listening = new AbortController();
  const { signal } = listening;
  pane.addEventListener('touchstart', onStart, { passive: true, signal });
  pane.addEventListener('touchmove', onMove, { passive: false, signal });
  pane.addEventListener('touchend', () => end(true), { signal });
  pane.addEventListener('touchcancel', () => end(false), { signal });
  return () => {
    end(false);
    listening.abort();
  };
}
