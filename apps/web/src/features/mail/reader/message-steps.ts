// Moving between the messages of a conversation: which one is the current one, and bringing another to the eye.
import { OPENED_GROWTH_MS } from '../../../timing.ts';

const selector = '[data-message]';

const all = (pane: Element): HTMLElement[] => [...pane.querySelectorAll<HTMLElement>(selector)];

/** The message that has the focus, or else the one whose head stands highest in the pane; -1 when there is none. */
function currentIndex(pane: Element, messages: readonly HTMLElement[]): number {
  const focused = messages.findIndex(message => message.contains(document.activeElement));
  if (focused !== -1) return focused;
  const top = pane.getBoundingClientRect().top;
  const shown = messages.findIndex(message => message.getBoundingClientRect().bottom > top + 1);
  return shown === -1 ? messages.length - 1 : shown;
}

/** The id of the message `step` further, or null at the end. */
export function findNextMessage(pane: Element, step: 1 | -1): string | null {
  const messages = all(pane);
  return messages[currentIndex(pane, messages) + step]?.dataset.message ?? null;
}

/** Whether so little of a message is in the pane that its reader has to scroll first. */
const isOutOfSight = (message: DOMRect, pane: DOMRect): boolean =>
  message.top < pane.top || (message.bottom > pane.bottom && message.top > pane.top + pane.height / 2);

/**
 * Brings a message that was just opened into view, its head first, and does so again while its body comes and grows, until
 * the reader does something.
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

/** Scrolls a message to the top and gives it the focus; it may have been drawn anew since. */
export function focusMessage(pane: Element, id: string): void {
  const message = all(pane).find(one => one.dataset.message === id);
  if (message === undefined) return;
  message.focus({ preventScroll: true });
  message.scrollIntoView({ block: 'start' });
}
