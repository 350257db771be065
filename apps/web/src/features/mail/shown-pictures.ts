// Which remote pictures of a mail its page shows: the mail is laid out once more, out of sight, with stand-ins that nothing is
// fetched for, and the browser is asked which of them it would paint. What is hidden is never asked for. The layouts are
// the same for every reader, whatever their window: its width and its features must not be told by what is asked for.
import { type SanitiseOptions, sanitiseMailInSlices } from '@keyfold/mail/sanitize';
import { createPauses } from '../../lib/pauses.ts';
import { randomId } from '../../lib/random-id.ts';
import { workSliceMs } from '../../timing.ts';
import { fillFrame } from './frame-document.ts';
import { frameFont } from './frame-font.ts';
import { settleAll } from './settled-conditions.ts';

/** A phone and a desk: what either of them paints is asked for. */
const widthsPx = [390, 720];
const heightPx = 800;

// The first layer wins over all that a mail calls important but in its style attributes. Letters, their size and bars that
// scroll differ from one machine to the next, and lines are as thin as its screen can draw.
const evenStyle = `@layer { *, *::before, *::after { font: 16px/24px "${frameFont}" !important; scrollbar-width: none !important;
  border-width: 0 !important; transition: none !important; } }`;
const evenProperties = ['font', 'line-height', 'scrollbar-width', 'border-width', 'transition'];

/** As wide from the start: where nobody sees a frame, browsers may put off giving it another size. */
async function openFrame(widthPx: number): Promise<HTMLIFrameElement> {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-same-origin');
  frame.setAttribute('aria-hidden', 'true');
  frame.tabIndex = -1;
  frame.style.width = `${widthPx}px`;
  frame.style.height = `${heightPx}px`;
  frame.src = '/message-frame.html';
  const ready = new Promise<void>(resolve => {
    frame.onload = () => resolve();
  });
  const box = document.createElement('div');
  box.className = 'pointer-events-none fixed start-0 top-0 size-px overflow-hidden opacity-0 print:hidden';
  box.append(frame);
  document.body.append(box);
  await ready;
  return frame;
}

/** Nothing of a size to be seen, as trackers are. */
const isNothing = (width: number, height: number): boolean =>
  width * height === 0 || (width <= 1 && height <= 1);

/** Nothing of it can be seen: hidden itself, or inside of what is, cut off by a box without any size, or out of reach. */
function isHidden(element: Element, view: Window): boolean {
  if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return true;
  const { right, bottom } = element.getBoundingClientRect();
  if (right <= 0 || bottom <= 0) return true;
  for (let at: Element | null = element.parentElement; at !== null; at = at.parentElement) {
    const { overflow, display } = view.getComputedStyle(at);
    const cuts = overflow !== 'visible' && display !== 'inline' && at !== at.ownerDocument.documentElement;
    if (cuts && isNothing(at.clientWidth, at.clientHeight)) return true;
  }
  return false;
}

/** What stands before or behind an element is there only with a content of its own. */
const isMade = ({ content, display, visibility, opacity }: CSSStyleDeclaration): boolean =>
  content !== 'none' &&
  content !== 'normal' &&
  display !== 'none' &&
  visibility === 'visible' &&
  opacity !== '0';

/** What is written in the styles of an element and of what its style puts before and behind it. */
function styledPictures(element: Element, view: Window): string {
  const { width, height } = element.getBoundingClientRect();
  const own = view.getComputedStyle(element);
  const written = [own.content];
  if (!isNothing(width, height)) written.push(own.backgroundImage);
  if (own.display === 'list-item') written.push(own.listStyleImage);
  for (const part of ['::before', '::after']) {
    const style = view.getComputedStyle(element, part);
    if (isMade(style)) written.push(style.content, style.backgroundImage);
  }
  return written.filter(value => value.includes('url(')).join(' ');
}

/** Takes out what differs from one machine to the next: the words, which are as wide as its letters, and their looks. */
function makeEven(inner: Document): void {
  const style = inner.createElement('style');
  style.textContent = evenStyle;
  inner.head.prepend(style);
  for (const element of inner.body.querySelectorAll<HTMLElement>('[style*="important" i]'))
    for (const property of evenProperties) element.style.removeProperty(property);
  const texts = inner.createTreeWalker(inner.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
    if (node.parentElement?.localName !== 'style' && node.nodeValue?.trim()) node.nodeValue = 'x';
}

/** A picture has no size before it is there; the stand-ins come from no further than their address. */
const settled = (image: HTMLImageElement): Promise<unknown> | null =>
  image.complete
    ? null
    : new Promise(resolve => {
        image.addEventListener('load', resolve);
        image.addEventListener('error', resolve);
      });

/** What is written of pictures by all that is painted in the frame as it is. */
async function* paintedIn(
  inner: Document,
  view: Window,
  hasStyled: boolean,
  pause: () => Promise<void> | null,
): AsyncGenerator<string> {
  for (const image of inner.querySelectorAll('img')) {
    const { width, height } = image.getBoundingClientRect();
    if (!isNothing(width, height) && !isHidden(image, view)) yield image.src;
    await pause();
  }
  if (!hasStyled) return;
  for (const element of inner.body.querySelectorAll('*')) {
    const styled = styledPictures(element, view);
    if (styled !== '' && !isHidden(element, view)) yield styled;
    await pause();
  }
}

/** The mail with stand-ins, once or twice: with all its conditions met, and with none of them. */
async function withStandIns(
  html: string,
  rewriteRemote: (url: string) => string | null,
  pause: () => Promise<void> | null,
): Promise<string[]> {
  let hasConditions = false;
  const clean = async (isMet: boolean): Promise<string> => {
    const options: SanitiseOptions = {
      allowRemote: true,
      rewriteRemote,
      settleCondition: (rule, condition) => {
        const query = settleAll(isMet)(rule, condition);
        hasConditions ||= query !== settleAll(!isMet)(rule, condition);
        return query;
      },
    };
    return (await sanitiseMailInSlices(html, options, pause)).html;
  };
  const met = await clean(true);
  return hasConditions ? [met, await clean(false)] : [met];
}

/** Those of the addresses whose pictures are painted in any of the layouts. Rejects once the signal is aborted. */
export async function findShownPictures(
  html: string,
  urls: readonly string[],
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
  const mails = await withStandIns(html, standIn, pause);
  const shown = new Set<number>();
  for (const widthPx of widthsPx) {
    const frame = await openFrame(widthPx);
    try {
      const inner = frame.contentDocument;
      const view = frame.contentWindow;
      if (inner === null || view === null) return [];
      for (const clean of mails) {
        fillFrame(inner, { html: clean, theme: 'light', foldsQuotes: false, quoteLabel: '' });
        makeEven(inner);
        await Promise.all(Array.from(inner.querySelectorAll('img'), settled));
        // Most mail names pictures in its text alone.
        const hasStyled = clean.replaceAll(/<img\b[^>]*>/g, '').includes(mark);
        for await (const text of paintedIn(inner, view, hasStyled, pause))
          for (const [, index] of text.matchAll(new RegExp(`${mark}(\\d+)`, 'g'))) shown.add(Number(index));
      }
    } finally {
      frame.parentElement?.remove();
    }
  }
  return urls.filter((_, index) => shown.has(index));
}
