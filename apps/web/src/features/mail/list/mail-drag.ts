// Dragging rows with the mouse: their ids are transferred as JSON under a custom type, and a bubble
// beside the pointer shows their number (docs/interface.md#states).
import { t } from '../../../lib/language.ts';

/** Drag data type of dragged rows. */
export const mailDragType = 'application/x-keyfold-mail';

/** Fills the data of a drag that begins. */
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
  // The browser captures the drag image by the end of this task.
  requestAnimationFrame(() => bubble.remove());
}
