// Scales down a message that is wider than its frame, to the smallest size that is still readable;
// wider content scrolls sideways. Zooming the page by pinch or keys is unaffected.
// docs/interface.md#phone.

/** Smallest readable scale. Content that is still wider scrolls. */
const SMALLEST = 0.45;
/** Overhang, in pixels, that is too small to justify scaling down the text. */
const OVERHANG_PX = 4;

/** Returns the scale at which content of this width fits the frame. */
export function scaleFor(contentPx: number, framePx: number): number {
  if (framePx <= 0 || contentPx <= framePx + OVERHANG_PX) return 1;
  return Math.max(SMALLEST, Math.floor((framePx / contentPx) * 1000) / 1000);
}

/**
 * Maximum height of a frame, in CSS pixels; a taller body scrolls inside it. More than long
 * newsletters need, but small enough that a body of millions of pixels cannot bury the rest of the
 * conversation.
 */
export const TALLEST_FRAME_PX = 20_000;

/** Returns the frame height for a body of this height, in pixels. */
export const frameHeightFor = (contentPx: number): number =>
  Math.min(TALLEST_FRAME_PX, Math.max(0, Math.ceil(contentPx)));

/**
 * Fits the frame's content to its width and returns the height of the frame, in pixels. A body
 * taller than the tallest frame scrolls; on paper it is shown whole.
 */
export function fitFrame(inner: Document, { onPaper = false } = {}): number {
  const { body, documentElement } = inner;
  body.style.removeProperty('zoom');
  const scale = scaleFor(documentElement.scrollWidth, documentElement.clientWidth);
  if (scale < 1) body.style.setProperty('zoom', String(scale));
  const contentPx = documentElement.getBoundingClientRect().height;
  if (onPaper) return Math.ceil(contentPx);
  const heightPx = frameHeightFor(contentPx);
  if (contentPx > heightPx) documentElement.style.setProperty('overflow-y', 'auto');
  else documentElement.style.removeProperty('overflow-y');
  return heightPx;
}
