// Which remote pictures of a mail its page shows: the mail is laid out once more, out of sight, with stand-ins that nothing is
// fetched for, and the browser is asked which of them it would paint. What is hidden is never asked for, and counts as a
// tracker when it has an element of its own. The layouts are the same for every reader, whatever their window: its width and
// its features must not be told by what is asked for.
import { type SanitizeOptions, sanitizeMailInSlices } from '@keyfold/mail/sanitize';
import { createPauses } from '../../../lib/pauses.ts';
import { randomId } from '../../../lib/random-id.ts';
import { WORK_SLICE_MS } from '../../../timing.ts';
import { fillFrame } from './frame-document.ts';
import { frameFont } from './frame-font.ts';
import { settleAll } from './settled-conditions.ts';

/** A phone and a desk: what either of them paints is asked for. */
const WIDTHS_PX = [390, 720];
const HEIGHT_PX = 800;

// The first layer wins over all that a mail calls important but in its style attributes. Letters, their size and bars that
// scroll differ from one machine to the next, and lines are as thin as its screen can draw.
const evenStyle = `@layer { *, *::before, *::after { font: 16px/24px "${frameFont}" !important; scrollbar-width: none !important;
  border-width: 0 !important; transition: none !important; }
  [data-no-letters], [data-no-letters] * { font-size: 0 !important; } }`;
const evenProperties = ['font', 'line-height', 'scrollbar-width', 'border-width', 'transition'];

/** As wide from the start: where nobody sees a frame, browsers may put off giving it another size. */
async function openFrame(widthPx: number): Promise<HTMLIFrameElement> {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-same-origin');
  frame.setAttribute('aria-hidden', 'true');
  frame.tabIndex = -1;
  frame.style.width = `${widthPx}px`;
  frame.style.height = `${HEIGHT_PX}px`;
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

/** Of this size at most nothing can be made out, in CSS pixels. */
const SPECKS_PX = 2;

/** Nothing of a size to be seen, as trackers are. */
const isNothing = (width: number, height: number): boolean =>
  width * height < 1 || (width <= SPECKS_PX && height <= SPECKS_PX);

/** Fainter than this is no picture for anybody. */
const LEAST_OPACITY = 0.05;

/** How far to the right one would have to scroll for it, in widths of the page. */
const FAR_WIDTHS = 3;

type Box = {
  left: number;
  right: number;
  top: number;
  bottom: number;
};

const isSpeck = ({ left, right, top, bottom }: Box): boolean =>
  right <= left || bottom <= top || isNothing(right - left, bottom - top);

const within = (one: Box, other: Box): Box => ({
  left: Math.max(one.left, other.left),
  right: Math.min(one.right, other.right),
  top: Math.max(one.top, other.top),
  bottom: Math.min(one.bottom, other.bottom),
});

/** What a clip leaves of a box that is so large; shapes are taken for the box around them. */
function clipped({ clip, clipPath, position }: CSSStyleDeclaration, box: Box): Box {
  const width = box.right - box.left;
  const height = box.bottom - box.top;
  const lengths = (text: string): number[] => (text.match(/-?[\d.]+/g) ?? []).map(Number);
  if (/^(?:absolute|fixed)$/.test(position) && /^rect\(/.test(clip) && !clip.includes('auto')) {
    const [top = 0, right = width, bottom = height, left = 0] = lengths(clip);
    return { left: box.left + left, right: box.left + right, top: box.top + top, bottom: box.top + bottom };
  }
  if (/^(?:circle|ellipse)\(0(?:px|%)/.test(clipPath))
    return { left: box.left, right: box.left, top: box.top, bottom: box.top };
  const inset = /^inset\(([^)]*?)(?:\s+round.*)?\)$/.exec(clipPath)?.[1]?.split(' ');
  if (inset === undefined) return box;
  const inPixels = (written: string | undefined, whole: number): number =>
    written?.endsWith('%') ? (Number.parseFloat(written) / 100) * whole : Number.parseFloat(written ?? '0');
  const [top, right = top, bottom = top, left = right] = inset;
  return {
    left: box.left + inPixels(left, width),
    right: box.right - inPixels(right, width),
    top: box.top + inPixels(top, height),
    bottom: box.bottom - inPixels(bottom, height),
  };
}

/** Nothing of it can be seen: hidden or faint itself, or inside of what is, cut off by the boxes around it, or out of reach. */
function isHidden(element: Element, view: Window): boolean {
  if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return true;
  let box: Box = element.getBoundingClientRect();
  const pageWidth = view.document.documentElement.clientWidth;
  if (box.right <= 0 || box.bottom <= 0 || box.left > pageWidth * FAR_WIDTHS) return true;
  const isFlat = isSpeck(box);
  let opacity = 1;
  for (let at: Element | null = element; at !== null; at = at.parentElement) {
    const style = view.getComputedStyle(at);
    opacity *= Number(style.opacity);
    if (opacity < LEAST_OPACITY) return true;
    const own: Box = at.getBoundingClientRect();
    const left = clipped(style, own);
    if (left !== own) box = within(box, left);
    const cuts = style.overflow !== 'visible' && style.display !== 'inline';
    if (at !== element && at !== at.ownerDocument.documentElement && cuts) {
      if (isNothing(at.clientWidth, at.clientHeight)) return true;
      // Where one can scroll, what is cut off is only farther away.
      if (/hidden|clip/.test(style.overflow)) box = within(box, own);
    }
    if (!isFlat && isSpeck(box)) return true;
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

/** Pictures that something in the page names, and whether it paints them. */
type Named = {
  text: string;
  isShown: boolean;
};

/** A ground that is shrunk to nothing is painted nowhere, however large its box. */
function isShrunk({ backgroundSize, backgroundRepeat }: CSSStyleDeclaration): boolean {
  const [width = Number.NaN, height = width] = backgroundSize.split(' ').map(Number.parseFloat);
  return width === 0 || height === 0 || (backgroundRepeat === 'no-repeat' && isNothing(width, height));
}

/** What is written in the styles of an element and of what its style puts before and behind it. */
function styledPictures(element: Element, view: Window): Named[] {
  const { width, height } = element.getBoundingClientRect();
  const own = view.getComputedStyle(element);
  const seen = [own.content];
  const unseen: string[] = [];
  (isNothing(width, height) || isShrunk(own) ? unseen : seen).push(own.backgroundImage);
  if (own.display === 'list-item') seen.push(own.listStyleImage);
  for (const part of ['::before', '::after']) {
    const style = view.getComputedStyle(element, part);
    (isMade(style) ? seen : unseen).push(style.content, style.backgroundImage);
  }
  const named = (values: readonly string[]) => values.filter(value => value.includes('url(')).join(' ');
  const isThere = named(seen) !== '' && !isHidden(element, view);
  return [
    { text: named(seen), isShown: isThere },
    { text: named(unseen), isShown: false },
  ].filter(({ text }) => text !== '');
}

/** Letters without any size make boxes without any, where these are measured in letters. */
function markLetterless(inner: Document, view: Window): void {
  for (const element of inner.body.querySelectorAll<HTMLElement>('*'))
    if (view.getComputedStyle(element).fontSize === '0px') element.dataset.noLetters = '';
}

/** Takes out what differs from one machine to the next: the words, which are as wide as its letters, and their looks. */
function makeEven(inner: Document, view: Window, hasLetterless: boolean): void {
  if (hasLetterless) markLetterless(inner, view);
  if (inner.head.querySelector('[data-even]') === null) {
    const style = inner.createElement('style');
    style.dataset.even = '';
    style.textContent = evenStyle;
    inner.head.prepend(style);
  }
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

/** What is written of pictures by all that is in the frame. */
async function* namedIn(
  inner: Document,
  view: Window,
  hasStyled: boolean,
  pause: () => Promise<void> | null,
): AsyncGenerator<Named> {
  for (const image of inner.querySelectorAll('img')) {
    const { width, height } = image.getBoundingClientRect();
    yield { text: image.src, isShown: !isNothing(width, height) && !isHidden(image, view) };
    await pause();
  }
  if (!hasStyled) return;
  for (const element of inner.body.querySelectorAll('*')) {
    yield* styledPictures(element, view);
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
    const options: SanitizeOptions = {
      allowRemote: true,
      rewriteRemote,
      settleCondition: (rule, condition) => {
        const query = settleAll(isMet)(rule, condition);
        hasConditions ||= query !== settleAll(!isMet)(rule, condition);
        return query;
      },
    };
    return (await sanitizeMailInSlices(html, options, pause)).html;
  };
  const met = await clean(true);
  return hasConditions ? [met, await clean(false)] : [met];
}

/**
 * A picture of no color, as large as browsers take one to be that says nothing of its size. It is a bitmap: a drawing would be a
 * document of its own to the browser, at five times the cost.
 */
const standInB64 = 'R0lGODlhLAGWAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

/** Of the addresses of a mail, those whose pictures are painted in any of the layouts, and those that only hidden elements name. */
export type MeasuredPictures = {
  readonly shown: readonly string[];
  readonly hidden: readonly string[];
};

/** Measures the pictures of a mail. Rejects once the signal is aborted. */
export async function measurePictures(
  html: string,
  urls: readonly string[],
  signal: AbortSignal,
): Promise<MeasuredPictures> {
  const pause = createPauses(WORK_SLICE_MS, signal);
  const mark = `kf-${randomId()}-`;
  const places = new Map(urls.map((url, index) => [url, index]));
  const standIn = (url: string): string | null => {
    const index = places.get(url);
    return index === undefined ? null : `data:image/gif;at=${mark}${index};base64,${standInB64}`;
  };
  const hasLetterless = /font(?:-size)?\s*:\s*0/i.test(html);
  const mails = await withStandIns(html, standIn, pause);
  const marked = new RegExp(`${mark}(\\d+)`, 'g');
  const shown = new Set<number>();
  const named = new Set<number>();
  for (const widthPx of WIDTHS_PX) {
    const frame = await openFrame(widthPx);
    try {
      const inner = frame.contentDocument;
      const view = frame.contentWindow;
      if (inner === null || view === null) return { shown: [], hidden: [] };
      for (const clean of mails) {
        fillFrame(inner, { html: clean, theme: 'light', foldsQuotes: false, quoteLabel: '' });
        makeEven(inner, view, hasLetterless);
        await Promise.all(Array.from(inner.querySelectorAll('img'), settled));
        // Most mail names pictures in its text alone.
        const hasStyled = clean.replaceAll(/<img\b[^>]*>/g, '').includes(mark);
        for await (const { text, isShown } of namedIn(inner, view, hasStyled, pause))
          for (const [, index] of text.matchAll(marked)) (isShown ? shown : named).add(Number(index));
      }
    } finally {
      frame.parentElement?.remove();
    }
  }
  return {
    shown: urls.filter((_, index) => shown.has(index)),
    hidden: urls.filter((_, index) => named.has(index) && !shown.has(index)),
  };
}
