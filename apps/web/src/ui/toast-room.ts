// Positions the toasts so that they cover nothing important: every part marked `data-keep-clear`
// (the bars of a message, the compose button, the bottom bar) lifts them above itself while it is
// visible.

export type Box = {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
};

const GAP_PX = 8;

/**
 * Returns how far, in pixels, a box at the bottom of the page is lifted to clear these obstacles;
 * it never leaves the page.
 */
export function liftOver(box: Box, obstacles: readonly Box[]): number {
  let lift = 0;
  const isHit = (one: Box) =>
    one.left < box.right &&
    one.right > box.left &&
    one.top < box.bottom - lift + GAP_PX &&
    one.bottom > box.top - lift;
  for (let hit = obstacles.find(isHit); hit !== undefined; hit = obstacles.find(isHit))
    lift = box.bottom - hit.top + GAP_PX;
  return Math.max(0, Math.min(lift, box.top - GAP_PX));
}

/**
 * Returns whether the part is the topmost element at its position, apart from the toasts
 * themselves.
 */
function isSeen(part: Element, { left, right, top, bottom }: Box, region: Element): boolean {
  const x = (left + right) / 2;
  const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
  const there = document.elementsFromPoint(x, y).find(one => !region.contains(one));
  return there !== undefined && part.contains(there);
}

/** Lifts the region above everything that must not be covered, and above an on-screen keyboard. */
function place(region: HTMLElement): void {
  const { style } = region;
  const before = style.translate;
  style.translate = '';
  const box = region.getBoundingClientRect();
  style.translate = before;
  const parts = [...document.querySelectorAll('[data-keep-clear]')];
  const obstacles = parts.flatMap(part => {
    const one = part.getBoundingClientRect();
    return isSeen(part, one, region) ? [one] : [];
  });
  const seen = globalThis.visualViewport;
  if (seen && seen.scale < 1.01 && seen.offsetTop + seen.height < innerHeight - 1)
    obstacles.push(new DOMRect(0, seen.offsetTop + seen.height, innerWidth, innerHeight));
  const lift = liftOver(box, obstacles);
  style.translate = lift === 0 ? '' : `0 ${-lift}px`;
}

/** Keeps the region clear while the page changes; returns a function that stops this. */
export function keepClear(region: HTMLElement): () => void {
  let frame = 0;
  const again = () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => place(region));
  };
  place(region);
  const changes = new MutationObserver(again);
  changes.observe(document.body, { childList: true, subtree: true });
  const stop = new AbortController();
  const { signal } = stop;
  document.addEventListener('scroll', again, { capture: true, passive: true, signal });
  globalThis.addEventListener('resize', again, { signal });
  globalThis.visualViewport?.addEventListener('resize', again, { signal });
  return () => {
    cancelAnimationFrame(frame);
    changes.disconnect();
    stop.abort();
    region.style.translate = '';
  };
}
