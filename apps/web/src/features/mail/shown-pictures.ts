// Which remote pictures of a mail its page shows: the mail is laid out once more, out of sight and as wide as the reader, with
// stand-ins that nothing is fetched for, and the browser is asked which of them it would paint. What is hidden, or meant for
// another width, is never asked for.
import { sanitiseMailInSlices } from '@keyfold/mail/sanitize';
import { createPauses } from '../../lib/pauses.ts';
import { randomId } from '../../lib/random-id.ts';
import { workSliceMs } from '../../timing.ts';
import { fillFrame } from './frame-document.ts';

/** Where a mail is laid out before it is known how wide the reader is. */
const usualWidthPx = 720;

const pictureProperties = ['backgroundImage', 'listStyleImage', 'content'] as const;

async function openFrame(widthPx: number): Promise<HTMLIFrameElement> {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-same-origin');
  frame.setAttribute('aria-hidden', 'true');
  frame.tabIndex = -1;
  frame.className = 'pointer-events-none fixed start-0 top-0 h-px opacity-0 print:hidden';
  frame.style.width = `${widthPx}px`;
  frame.src = '/message-frame.html';
  const ready = new Promise<void>(resolve => {
    frame.onload = () => resolve();
  });
  document.body.append(frame);
  await ready;
  return frame;
}

/** Nothing of it can be seen: hidden itself, or inside of what is, or cut off by a box without any size. */
function isHidden(element: Element, view: Window): boolean {
  if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return true;
  for (let at: Element | null = element.parentElement; at !== null; at = at.parentElement) {
    const cuts = view.getComputedStyle(at).overflow !== 'visible' && at !== at.ownerDocument.documentElement;
    if (cuts && (at.clientHeight === 0 || at.clientWidth === 0)) return true;
  }
  return false;
}

/** What is written in the styles of an element and of what its style puts before and behind it. */
function styledPictures(element: Element, view: Window): string {
  const { width, height } = element.getBoundingClientRect();
  return [undefined, '::before', '::after']
    .map(part => view.getComputedStyle(element, part))
    .flatMap((style, index) =>
      // A box without any size has no ground; what stands before it may have.
      index === 0 && width * height === 0 ? [] : pictureProperties.map(property => style[property]),
    )
    .filter(value => value.includes('url('))
    .join(' ');
}

/** Those of the addresses whose pictures are painted in a frame of this width. Rejects once the signal is aborted. */
export async function findShownPictures(
  html: string,
  urls: readonly string[],
  widthPx: number,
  signal: AbortSignal,
): Promise<string[]> {
  const pause = createPauses(workSliceMs, signal);
  const mark = `kf-${randomId()}-`;
  const places = new Map(urls.map((url, index) => [url, index]));
  const standIn = (url: string): string | null => {
    const index = places.get(url);
    return index === undefined
      ? null
      : `data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22%20id=%22${mark}${index}%22/%3E`;
  };
  const { html: clean } = await sanitiseMailInSlices(
    html,
    { allowRemote: true, rewriteRemote: standIn },
    pause,
  );
  const frame = await openFrame(widthPx > 0 ? widthPx : usualWidthPx);
  try {
    const inner = frame.contentDocument;
    const view = frame.contentWindow;
    if (inner === null || view === null) return [];
    fillFrame(inner, { html: clean, theme: 'light', foldsQuotes: false, quoteLabel: '' });
    const shown = new Set<number>();
    const note = (text: string) => {
      for (const [, index] of text.matchAll(new RegExp(`${mark}(\\d+)`, 'g'))) shown.add(Number(index));
    };
    for (const image of inner.querySelectorAll('img')) {
      if (!isHidden(image, view)) note(image.src);
      await pause();
    }
    // Most mail names pictures in its text alone.
    if (clean.replaceAll(/<img\b[^>]*>/g, '').includes(mark))
      for (const element of inner.body.querySelectorAll('*')) {
        const styled = styledPictures(element, view);
        if (styled.includes(mark) && !isHidden(element, view)) note(styled);
        await pause();
      }
    return urls.filter((_, index) => shown.has(index));
  } finally {
    frame.remove();
  }
}
