// Navigation between the messages of a conversation: finds the current one and scrolls to another.
import { OPENED_GROWTH_MS } from '../../../timing.ts';

const selector = '[data-message]';

const all = (pane: Element): HTMLElement[] => [...pane.querySelectorAll<HTMLElement>(selector)];

/**
 * Returns the index of the focused message, else of the one whose header is highest in the pane, or
 * -1.
 */
function currentIndex(pane: Element, messages: readonly HTMLElement[]): number {
  const focused = messages.findIndex(message => message.contains(document.activeElement));
  if (focused !== -1) return focused;
  const top = pane.getBoundingClientRect().top;
  const shown = messages.findIndex(message => message.getBoundingClientRect().bottom > top + 1);
  return shown === -1 ? messages.length - 1 : shown;
}

/** Returns the id of the message `step` positions further, or null at the end. */
export function findNextMessage(pane: Element, step: 1 | -1): string | null {
  const messages = all(pane);
  return messages[currentIndex(pane, messages) + step]?.dataset.message ?? null;
}

/** Returns whether so little of a message is visible that the reader must scroll first. */
const isOutOfSight = (message: DOMRect, pane: DOMRect): boolean =>
  message.top < pane.top || (message.bottom > pane.bottom && message.top > pane.top + pane.height / 2);

/**
 * Scrolls a message that was just opened into view, header first. Repeats this while its body loads
 * and grows, until the user interacts.
 */
export function bringOpened(id: string): void {
  requestAnimationFrame(() => {
    const pane = document.querySelector('[data-conversation]');
    const message = pane === null ? undefined : all(pane).find(one => one.dataset.message === id);
    if (pane === null || message === undefined) return;
    const moved = new AbortController();
    const growth = new ResizeObserver(() => {
      if (isOutOfSight(message.getBoundingClientRect(), pane.getBoundingClientRect()))
        message.scrollIntoView({ block: 'start' });
    });
    growth.observe(message);
    const end = AbortSignal.any([moved.signal, AbortSignal.timeout(OPENED_GROWTH_MS)]);
    end.addEventListener('abort', () => growth.disconnect());
    for (const kind of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
      addEventListener(kind, () => moved.abort(), { capture: true, passive: true, signal: end });
  });
}

/**
 * Scrolls a message to the top and focuses it. Looks the element up, because it may have been
 * rendered again.
 */
export function focusMessage(pane: Element, id: string): void {
  const message = all(pane).find(one => one.dataset.message === id);
  if (message === undefined) return;
  message.focus({ preventScroll: true });
  message.scrollIntoView({ block: 'start' });
}
