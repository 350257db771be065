// Keeps the reading position while pictures without a declared size load above it. The frame does
// not scroll but the reader around it does, and browsers apply scroll anchoring only to content of
// the page that scrolls.

export type Place = {
  readonly scroller: Element;
  /**
   * Index of the element among those of the body. It is the same when the same message is filled in
   * again.
   */
  readonly index: number;
  readonly count: number;
  /** Top of the element in the frame, in pixels. */
  topPx: number;
};

const elementsOf = ({ contentDocument }: HTMLIFrameElement): readonly Element[] => [
  ...(contentDocument?.body.querySelectorAll('*:not(style)') ?? []),
];

function scrollerOf(frame: Element): Element | null {
  for (let at = frame.parentElement; at !== null; at = at.parentElement)
    if (/auto|scroll/.test(getComputedStyle(at).overflowY) && at.scrollHeight > at.clientHeight) return at;
  return null;
}

/**
 * Returns the first element that begins in the visible area, or the last one before it. Returns
 * null when no part of the frame is above the visible area.
 */
export function markPlace(frame: HTMLIFrameElement): Place | null {
  const scroller = scrollerOf(frame);
  if (scroller === null) return null;
  const { top, height } = frame.getBoundingClientRect();
  const fromPx = scroller.getBoundingClientRect().top - top;
  if (fromPx <= 0 || fromPx >= height) return null;
  const elements = elementsOf(frame);
  const tops = elements.map(element => element.getBoundingClientRect().top);
  const inSight = tops.findIndex(one => one >= fromPx && one < fromPx + scroller.clientHeight);
  const index = inSight >= 0 ? inSight : tops.findLastIndex(one => one <= fromPx);
  return index < 0 ? null : { scroller, index, count: elements.length, topPx: tops[index] ?? 0 };
}

/** Scrolls by the distance that the element has moved. */
export function keepPlace(place: Place, frame: HTMLIFrameElement): void {
  const elements = elementsOf(frame);
  const element = elements[place.index];
  if (element === undefined || elements.length !== place.count) return;
  const { top } = element.getBoundingClientRect();
  if (Math.abs(top - place.topPx) < 1) return;
  place.scroller.scrollTop += top - place.topPx;
  place.topPx = top;
}
