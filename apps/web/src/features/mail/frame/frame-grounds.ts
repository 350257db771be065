// Reads the look of an element of a message after layout: its color, its fill, the boxes of the
// element and of its text, and everything else that changes how the text looks. Also finds the
// backgrounds that may be behind text: those of the surrounding elements, as far as they reach, and
// of boxes positioned over or under them.
import { overlay, parseRgb, type Rgb } from '../../../lib/colors.ts';

export type Found = {
  readonly element: HTMLElement;
  readonly color: Rgb;
  fill: Rgb | null;
  /** Color stops of a gradient. */
  stops: readonly Rgb[];
  /** `intricate` is a gradient whose color behind a word cannot be determined. */
  readonly picture: 'none' | 'gradient' | 'intricate' | 'remote';
  readonly border: Rgb | null;
  readonly box: DOMRect;
  /** Box around the element's own text; null without text. */
  readonly words: DOMRect | null;
  readonly fontSizePx: number;
  /** Positioned by position, margin or transform, so it may overlap text of other elements. */
  readonly isPlaced: boolean;
  readonly effects: readonly (readonly [property: string, value: string])[];
};

const untouched = new Set(['br', 'style', 'col', 'colgroup']);
const SLACK_PX = 2;
/** Opacity below which content is hidden on purpose. */
const INVISIBLE = 0.1;
const MAX_PLACED = 40;

let canvas: CanvasRenderingContext2D | null = null;
const read = new Map<string, Rgb | null>();
const MAX_READ = 2_000;

/** Parses any color that a browser computes. */
function anyColor(text: string): Rgb | null {
  const plain = parseRgb(text);
  if (plain !== null) return plain;
  const known = read.get(text);
  if (known !== undefined) return known;
  canvas ??= Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', {
    willReadFrequently: true,
  });
  let color: Rgb | null = null;
  if (canvas !== null && CSS.supports('color', text)) {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = text;
    canvas.fillRect(0, 0, 1, 1);
    const [r = 0, g = 0, b = 0, a = 0] = canvas.getImageData(0, 0, 1, 1).data;
    color = { r, g, b, a: a / 255 };
  }
  if (read.size < MAX_READ) read.set(text, color);
  return color;
}

/** A message can list thousands, and each counts as a background of every word inside. */
const MAX_STOPS = 20;
const MAX_GRADIENT_CHARACTERS = 2_000;

/**
 * Returns the distinct colors in the gradients of an image value, or null when there are too many
 * to check.
 */
export function readStops(image: string): Rgb[] | null {
  if (image === 'none') return [];
  // Text inside a URL is never a color, however long it is.
  const drawn = image.replaceAll(/url\("[^"]*"\)/g, '');
  if (drawn.length > MAX_GRADIENT_CHARACTERS) return null;
  const named = new Set(drawn.match(/(?:rgba?|color|oklch|oklab|lab|lch)\([^()]*\)/g));
  return named.size > MAX_STOPS ? null : [...named].flatMap(text => anyColor(text) ?? []);
}

function pictureOf(image: string, stops: readonly Rgb[] | null): Found['picture'] {
  if (image === 'none') return 'none';
  if (stops === null) return 'intricate';
  return image.includes('url(') ? 'remote' : 'gradient';
}

/** Returns the box around the element's own text, without that of child elements. */
function wordsOf(element: HTMLElement): DOMRect | null {
  let around: DOMRect | null = null;
  for (const node of element.childNodes) {
    if (node.nodeType !== Node.TEXT_NODE || (node.nodeValue ?? '').trim() === '') continue;
    const range = element.ownerDocument.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (around === null) around = box;
    else {
      const [left, top] = [Math.min(around.left, box.left), Math.min(around.top, box.top)];
      const [right, bottom] = [Math.max(around.right, box.right), Math.max(around.bottom, box.bottom)];
      around = new DOMRect(left, top, right - left, bottom - top);
    }
  }
  return around;
}

function effectsOf(style: CSSStyleDeclaration, color: string): (readonly [string, string])[] {
  const effects: (readonly [string, string])[] = [];
  const opacity = Number(style.opacity);
  if (opacity > INVISIBLE && opacity < 1) effects.push(['opacity', '1']);
  if (style.filter !== 'none') effects.push(['filter', 'none']);
  if (style.mixBlendMode !== 'normal') effects.push(['mix-blend-mode', 'normal']);
  if (style.backgroundBlendMode !== 'normal') effects.push(['background-blend-mode', 'normal']);
  if (style.webkitTextFillColor !== color) effects.push(['-webkit-text-fill-color', 'currentcolor']);
  if (style.backgroundClip.includes('text')) effects.push(['background-clip', 'border-box']);
  if (style.transitionDuration !== '0s') effects.push(['transition', 'none']);
  return effects;
}

/**
 * Reads the properties of an element, or returns null for elements that show nothing themselves.
 */
export function readElement(element: HTMLElement): Found | null {
  if (untouched.has(element.localName)) return null;
  const style = (element.ownerDocument.defaultView as Window).getComputedStyle(element);
  const fill = anyColor(style.backgroundColor);
  const stops = readStops(style.backgroundImage);
  const hasBorder = style.borderTopStyle !== 'none' || style.borderBottomStyle !== 'none';
  const isAlt = element.localName === 'img' && (element.getAttribute('alt') ?? '') !== '';
  const box = element.getBoundingClientRect();
  return {
    element,
    color: anyColor(style.color) ?? { r: 0, g: 0, b: 0, a: 1 },
    fill: fill !== null && fill.a > 0.004 ? fill : null,
    stops: stops ?? [],
    picture: pictureOf(style.backgroundImage, stops),
    border: hasBorder ? anyColor(style.borderBottomColor) : null,
    box,
    words: isAlt ? box : wordsOf(element),
    fontSizePx: Number.parseFloat(style.fontSize),
    isPlaced:
      style.position !== 'static' ||
      style.transform !== 'none' ||
      /-\d/.test(`${style.margin} ${style.translate}`),
    effects: effectsOf(style, style.color),
  };
}

const holds = (box: DOMRect, words: DOMRect): boolean =>
  box.left <= words.left + SLACK_PX &&
  box.top <= words.top + SLACK_PX &&
  box.right >= words.right - SLACK_PX &&
  box.bottom >= words.bottom - SLACK_PX;

const touches = (box: DOMRect, words: DOMRect): boolean =>
  box.left < words.right && box.right > words.left && box.top < words.bottom && box.bottom > words.top;

/** Returns the colors that result from painting the element over each given background. */
function over({ fill, stops }: Found, under: readonly Rgb[]): Rgb[] {
  const filled = fill === null ? under : under.map(ground => overlay(fill, ground));
  return stops.length === 0
    ? [...filled]
    : stops.flatMap(stop => filled.map(ground => overlay(stop, ground)));
}

const placedOf = new WeakMap<ReadonlyMap<Element, Found>, Found[]>();

/** Returns the boxes with a background that may overlap other elements. */
function placedIn(all: ReadonlyMap<Element, Found>): Found[] {
  const known = placedOf.get(all);
  if (known !== undefined) return known;
  const placed = [...all.values()].filter(one => one.isPlaced && (one.fill !== null || one.stops.length > 0));
  const some = placed.slice(0, MAX_PLACED);
  placedOf.set(all, some);
  return some;
}

/**
 * Returns whether a picture, or a gradient as intricate as one, may be behind the text of an
 * element, so that its background is unknown.
 */
export function isOverPicture({ element, words }: Found, all: ReadonlyMap<Element, Found>): boolean {
  if (words === null) return false;
  for (let at: Element | null = element; at !== null; at = at.parentElement) {
    const picture = all.get(at)?.picture;
    if (picture === 'remote' || picture === 'intricate') return true;
  }
  for (const one of all.values())
    if (one.element.localName === 'img' && one.element !== element && touches(one.box, words)) return true;
  return false;
}

const MAX_GROUNDS = 24;

/** Returns every background that may be behind the text of an element. */
export function groundsBehind(found: Found, base: Rgb, all: ReadonlyMap<Element, Found>): Rgb[] {
  const around: Found[] = [];
  for (let at: Element | null = found.element; at !== null; at = at.parentElement) {
    const one = all.get(at);
    if (one !== undefined) around.push(one);
  }
  const isRoot = ({ element }: Found) => element.localName === 'html' || element.localName === 'body';
  let grounds: Rgb[] = [base];
  for (const one of around.toReversed()) {
    if (one.fill === null && one.stops.length === 0) continue;
    const covered = over(one, grounds);
    const reaches =
      found.words === null ||
      one === found ||
      isRoot(one) ||
      found.words.height === 0 ||
      holds(one.box, found.words);
    grounds = (reaches ? covered : [...grounds, ...covered]).slice(0, MAX_GROUNDS);
    // Text can also overflow its own element.
    if (one === found && found.words !== null && !holds(one.box, found.words) && one.box.height > 0)
      grounds = [...covered, ...grounds].slice(0, MAX_GROUNDS);
  }
  const { words } = found;
  if (words !== null)
    for (const one of placedIn(all))
      if (!one.element.contains(found.element) && touches(one.box, words))
        grounds = [...grounds, ...over(one, grounds)].slice(0, MAX_GROUNDS);
  return grounds;
}
