// Keys pressed while the focus is inside a mail's frame: the ones that the page knows are handed on to it, so that `j` or
// `e` work there too. Keys that move, select or activate belong to the frame.

const ownKeys = new Set([
  'Tab',
  'Enter',
  ' ',
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
  'PageUp',
  'PageDown',
  'Home',
  'End',
]);

/** Repeats the key on the frame's element, from where it goes up through the page. */
export function passKey(event: KeyboardEvent, frame: HTMLIFrameElement): void {
  const isCopy = (event.ctrlKey || event.metaKey) && /^[acxf]$/i.test(event.key);
  if (ownKeys.has(event.key) || isCopy) return;
  const { key, code, ctrlKey, metaKey, shiftKey, altKey, repeat } = event;
  const copy = new KeyboardEvent('keydown', {
    key,
    code,
    ctrlKey,
    metaKey,
    shiftKey,
    altKey,
    repeat,
    bubbles: true,
    cancelable: true,
  });
  if (!frame.dispatchEvent(copy)) event.preventDefault();
}
