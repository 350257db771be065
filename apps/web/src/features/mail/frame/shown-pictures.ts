// Finds out which remote pictures a message displays: lays it out again, off screen, with
// placeholders that need no network, and checks which of them the browser would paint. Hidden
// pictures are never requested and count as trackers when they have their own element. The layouts
// are the same for every reader, so that the requests do not reveal the width or the features of
// the reader's window.
import { type SanitizeOptions, sanitizeMailInSlices } from '@keyfold/mail/sanitize';
import { createPauses } from '../../../lib/pauses.ts';
import { randomId } from '../../../lib/random-id.ts';
import { WORK_SLICE_MS } from '../../../timing.ts';
import { fillFrame } from './frame-document.ts';
import { frameFont } from './frame-font.ts';
import { settleAll } from './settled-conditions.ts';

/** Widths of a phone and a desktop. A picture is requested when either layout paints it. */
const WIDTHS_PX = [390, 720];
const HEIGHT_PX = 800;

// The first layer overrides every `!important` of the message except those in style attributes.
// Fonts, font sizes and scrollbars differ between machines, and lines are as thin as the screen can
// draw.
const evenStyle = `@layer { *, *::before, *::after { font: 16px/24px "${frameFont}" !important; scrollbar-width: none !important;
  border-width: 0 !important; transition: none !important; }
  [data-no-letters], [data-no-letters] * { font-size: 0 !important; } }`;
const evenProperties = ['font', 'line-height', 'scrollbar-width', 'border-width', 'transition'];

/**
 * The width is set from the start, because browsers may delay resizing a frame that is off screen.
 */
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

/** Size, in CSS pixels, up to which a picture shows nothing recognizable. */
const SPECKS_PX = 2;

/** Returns whether the size is too small to see, as with trackers. */
const isNothing = (width: number, height: number): boolean =>
  width * height < 1 || (width <= SPECKS_PX && height <= SPECKS_PX);

/** Opacity below which no reader can see a picture. */
const LEAST_OPACITY = 0.05;

/** Distance to the right, in page widths, beyond which a picture counts as out of reach. */
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

/** Returns the part of a box that a clip leaves. Shapes are approximated by their bounding box. */
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

/**
 * Returns whether no part of the element can be seen: it or an ancestor is hidden or transparent,
 * the boxes around it clip it, or it is out of reach.
 */
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
      // In scrollable boxes, clipped content can still be reached.
      if (/hidden|clip/.test(style.overflow)) box = within(box, own);
    }
    if (!isFlat && isSpeck(box)) return true;
  }
  return false;
}

/** A ::before or ::after exists only if it has content. */
const isMade = ({ content, display, visibility, opacity }: CSSStyleDeclaration): boolean =>
  content !== 'none' &&
  content !== 'normal' &&
  display !== 'none' &&
  visibility === 'visible' &&
  opacity !== '0';

/** Pictures that an element references, and whether it paints them. */
type Named = {
  text: string;
  isShown: boolean;
};

/** A background with size zero is never painted, however large its box. */
function isShrunk({ backgroundSize, backgroundRepeat }: CSSStyleDeclaration): boolean {
  const [width = Number.NaN, height = width] = backgroundSize.split(' ').map(Number.parseFloat);
  return width === 0 || height === 0 || (backgroundRepeat === 'no-repeat' && isNothing(width, height));
}

/** Returns the pictures in the styles of an element and of its ::before and ::after. */
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

/** Marks elements with font size zero, whose boxes are empty when sized in em. */
function markLetterless(inner: Document, view: Window): void {
  for (const element of inner.body.querySelectorAll<HTMLElement>('*'))
    if (view.getComputedStyle(element).fontSize === '0px') element.dataset.noLetters = '';
}

/**
 * Removes machine-dependent differences: the text, whose width depends on the fonts, and its
 * styling.
 */
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

/** A picture has no size until it is loaded. The placeholders load from their data: URLs. */
const settled = (image: HTMLImageElement): Promise<unknown> | null =>
  image.complete
    ? null
    : new Promise(resolve => {
        image.addEventListener('load', resolve);
        image.addEventListener('error', resolve);
      });

/** Yields the pictures that the elements of the frame reference. */
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

/**
 * Returns the message with placeholders, in one or two versions: with all its conditions met, and
 * with none of them met.
 */
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
 * A transparent picture of the size that browsers assume for one that declares none. It is a
 * bitmap, because browsers treat an SVG as a separate document, at five times the cost.
 */
const standInB64 = 'R0lGODlhLAGWAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

/**
 * URLs of the message's pictures: those that any of the layouts paints, and those that only hidden
 * elements reference.
 */
export type MeasuredPictures = {
  readonly shown: readonly string[];
  readonly hidden: readonly string[];
};

/** Measures the pictures of a message. Rejects when the signal is aborted. */
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
        // Most messages reference pictures only in img elements.
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
