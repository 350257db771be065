// Keeps the page when something is dropped beside every place that takes it: the browser would open the file or link in
// place of the page, and what was being written would be gone. Knows no place itself; those say so by `preventDefault`.

/** Whether the browser would leave the page for what is dragged here. */
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

/** Refuses what no place of this document takes; calling it again changes nothing. */
export function guardDrops(inner: Document): void {
  const view = inner.defaultView;
  view?.addEventListener('dragover', refuse);
  view?.addEventListener('drop', refuse);
}
