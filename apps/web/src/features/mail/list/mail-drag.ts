// Rows that are dragged with the mouse: their ids travel as JSON under a type of our own, and a bubble beside the pointer
// says how many they are (docs/interface.md#states).
import { t } from '../../../lib/language.ts';

/** The drag data type that dragged rows carry. */
export const mailDragType = 'application/x-keyfold-mail';

/** Fills a drag that begins. */
export function startMailDrag(data: DataTransfer, ids: readonly string[]): void {
  data.setData(mailDragType, JSON.stringify(ids));
  data.effectAllowed = 'copyMove';
  const bubble = document.createElement('div');
  bubble.className =
    'fixed -top-20 start-0 rounded-full bg-fill px-3 py-1.5 text-control font-semibold text-on-fill';
  bubble.textContent = t('{count, plural, one {# conversation} other {# conversations}}', {
    count: ids.length,
  });
  document.body.append(bubble);
  data.setDragImage(bubble, -12, -12);
  // The browser has drawn it once this turn is over.
  requestAnimationFrame(() => bubble.remove());
}
