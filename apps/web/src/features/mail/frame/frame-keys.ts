// Forwards keys that are pressed inside a message frame and that the page handles, so that `j` or
// `e` work there too. Keys that scroll, select or activate stay in the frame.

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

/** Dispatches the key again on the frame element, from where it bubbles through the page. */
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
