// "Show dark" for mail that brings its own colours: every colour is judged by what it is for and moved in OKLCH, hue kept,
// until it can be read on a dark ground. Pictures and what lies on them stay as they are; nothing is ever inverted.
// Colours are read for all elements before any is written, so that the browser computes styles once.
import { contrastOf, formatRgb, fromOklch, overlay, parseRgb, type Rgb, toOklch } from '../../lib/colors.ts';

/** The ground that a mail without colours has in the dark, and its words. */
export const darkGround: Rgb = { r: 21, g: 25, b: 34, a: 1 };
export const darkInk: Rgb = { r: 232, g: 235, b: 241, a: 1 };

const readableContrast = 6;
const lightnessStep = 0.03;
/** Grounds lighter than this count as light. */
const lightGround = 0.5;

/** A ground for the dark: light ones become dark in the order of their lightness, dark ones stay. */
export function toDarkGround(color: Rgb): Rgb {
  const { l, c, h } = toOklch(color);
  if (l <= lightGround) return color;
  return fromOklch({ l: 0.22 + (1 - l) * 0.5, c: Math.min(c, 0.08), h }, color.a);
}

/** Words that can be read on this ground: the same hue, as much lighter or darker as that takes. */
export function toReadable(color: Rgb, ground: Rgb): Rgb {
  if (contrastOf(overlay(color, ground), ground) >= readableContrast) return color;
  const { l, c, h } = toOklch(color);
  const direction = toOklch(ground).l > 0.6 ? -1 : 1;
  for (let lightness = l; lightness >= 0 && lightness <= 1; lightness += direction * lightnessStep) {
    const tried = fromOklch({ l: lightness, c, h });
    if (contrastOf(tried, ground) >= readableContrast) return tried;
  }
  return direction === 1 ? { r: 255, g: 255, b: 255, a: 1 } : { r: 0, g: 0, b: 0, a: 1 };
}

interface Found {
  readonly element: HTMLElement;
  readonly color: Rgb | null;
  readonly ground: Rgb | null;
  readonly border: Rgb | null;
  readonly hasPicture: boolean;
}

function read(element: HTMLElement): Found {
  const style = (element.ownerDocument.defaultView as Window).getComputedStyle(element);
  const ground = parseRgb(style.backgroundColor);
  const hasBorder = style.borderTopStyle !== 'none' || style.borderBottomStyle !== 'none';
  return {
    element,
    color: parseRgb(style.color),
    ground: ground !== null && ground.a > 0.02 ? ground : null,
    border: hasBorder ? parseRgb(style.borderBottomColor) : null,
    hasPicture: style.backgroundImage.includes('url('),
  };
}

const untouched = new Set(['img', 'br', 'style', 'col', 'colgroup']);

const put = (element: HTMLElement, property: string, color: Rgb): void =>
  element.style.setProperty(property, formatRgb(color), 'important');

/** Recolours everything in `root` for the dark. `pause` lets the page breathe between slices of work. */
export async function recolourForDark(root: HTMLElement, pause: () => Promise<void> | null): Promise<void> {
  const found: Found[] = [];
  for (const element of [root, ...root.querySelectorAll<HTMLElement>('*')]) {
    if (untouched.has(element.localName)) continue;
    found.push(read(element));
    const rest = pause();
    if (rest !== null) await rest;
  }
  // The ground under each element; null on a picture, where nothing is changed.
  const grounds = new Map<Element, Rgb | null>();
  for (const { element, color, ground, border, hasPicture } of found) {
    const under = element === root ? darkGround : groundUnder(element, grounds);
    let own = under;
    if (hasPicture && ground === null) own = null;
    else if (ground !== null) {
      const dark = toDarkGround(ground);
      own = overlay(dark, under ?? darkGround);
      if (!hasPicture) put(element, 'background-color', dark);
      else own = null;
    }
    grounds.set(element, own);
    if (own === null) continue;
    if (color !== null) put(element, 'color', toReadable(color, own));
    if (border !== null && border.a > 0) put(element, 'border-color', toDarkGround(border));
    const rest = pause();
    if (rest !== null) await rest;
  }
}

function groundUnder(element: Element, grounds: ReadonlyMap<Element, Rgb | null>): Rgb | null {
  for (let around = element.parentElement; around !== null; around = around.parentElement) {
    const ground = grounds.get(around);
    if (ground !== undefined) return ground;
  }
  return darkGround;
}
