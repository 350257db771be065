// Keeps what somebody reads where it is while pictures without a stated size come in above it. The frame of a mail does not
// scroll, the reader around it does, and browsers look for what to hold in place in the page that scrolls alone.

export type Place = {
  readonly scroller: Element;
  /** Where the element stands among those of the body; another filling of the same mail has as many. */
  readonly index: number;
  readonly count: number;
  /** Its top in the frame. */
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

/** The first element that begins in sight, or the last before; null where nothing of the frame is above what is seen. */
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

/** Scrolls by as much as the place has moved. */
export function keepPlace(place: Place, frame: HTMLIFrameElement): void {
  const elements = elementsOf(frame);
  const element = elements[place.index];
  if (element === undefined || elements.length !== place.count) return;
  const { top } = element.getBoundingClientRect();
  if (Math.abs(top - place.topPx) < 1) return;
  place.scroller.scrollTop += top - place.topPx;
  place.topPx = top;
}
