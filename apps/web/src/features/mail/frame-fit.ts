// Fits a mail that is wider than its frame by making it smaller as a whole, down to a size that can still be read; past
// that it scrolls sideways. The page itself can be zoomed by pinch or keys as ever. ux section 1, Phone and Reader.

/** Smaller than this nothing can be read; what is wider still scrolls. */
const smallest = 0.45;
/** A little overhang is not worth smaller letters. */
const overhangPx = 4;

/** A frame is never taller, in pixels: what a mail makes taller scrolls inside it. About 25 screens. */
export const maxFramePx = 20_000;

/** The share of its size at which content of this width fits. */
export function scaleFor(contentPx: number, framePx: number): number {
  if (framePx <= 0 || contentPx <= framePx + overhangPx) return 1;
  return Math.max(smallest, Math.floor((framePx / contentPx) * 1000) / 1000);
}

/** Fits the frame's content to its width and returns the height it then has, in pixels. */
export function fitFrame(inner: Document): number {
  const { body, documentElement } = inner;
  body.style.removeProperty('zoom');
  const scale = scaleFor(documentElement.scrollWidth, documentElement.clientWidth);
  if (scale < 1) body.style.setProperty('zoom', String(scale));
  const heightPx = Math.ceil(documentElement.getBoundingClientRect().height);
  documentElement.style.setProperty('overflow-y', heightPx > maxFramePx ? 'auto' : 'hidden', 'important');
  return Math.min(heightPx, maxFramePx);
}
