// Prevents the browser from navigating when something is dropped outside every drop target: it
// would open the file or link in place of the page, and unsaved text would be lost. Knows no drop
// targets; they call `preventDefault` themselves.

/** Whether the browser would leave the page for the dragged item at this position. */
function wouldLeave({ dataTransfer, target }: DragEvent): boolean {
  const types = dataTransfer?.types ?? [];
  if (types.includes('Files')) return true;
  const isField = (target as Element | null)?.closest?.('input, textarea, [contenteditable="true"]') != null;
  return types.includes('text/uri-list') && !isField;
}

function refuse(event: DragEvent): void {
  if (event.defaultPrevented || !wouldLeave(event)) return;
  event.preventDefault();
  if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'none';
}

/** Rejects drops that no target of this document accepts. Idempotent. */
export function guardDrops(inner: Document): void {
  const view = inner.defaultView;
  view?.addEventListener('dragover', refuse);
  view?.addEventListener('drop', refuse);
}
