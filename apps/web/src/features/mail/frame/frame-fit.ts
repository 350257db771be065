// Fits a mail that is wider than its frame by making it smaller as a whole, down to a size that can still be read; past
// that it scrolls sideways. The page itself can be zoomed by pinch or keys as ever. docs/interface.md#phone.

/** Smaller than this nothing can be read; what is wider still scrolls. */
const SMALLEST = 0.45;
/** A little overhang is not worth smaller letters. */
const OVERHANG_PX = 4;

/** The share of its size at which content of this width fits. */
export function scaleFor(contentPx: number, framePx: number): number {
  if (framePx <= 0 || contentPx <= framePx + OVERHANG_PX) return 1;
  return Math.max(SMALLEST, Math.floor((framePx / contentPx) * 1000) / 1000);
}

/**
 * The tallest a frame gets, in CSS pixels; a taller body scrolls inside it. Longer than long newsletters, and short enough
 * that a body of millions of pixels cannot bury the rest of the conversation.
 */
export const TALLEST_FRAME_PX = 20_000;

/** The height of the frame for a body of this height, in pixels. */
export const frameHeightFor = (contentPx: number): number =>
  Math.min(TALLEST_FRAME_PX, Math.max(0, Math.ceil(contentPx)));

/**
 * Fits the frame's content to its width and returns the height of the frame, in pixels. A body taller than the tallest
 * frame scrolls; on paper it is shown whole.
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
