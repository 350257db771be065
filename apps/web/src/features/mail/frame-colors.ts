// Words that can be read whatever a mail sets: for each element with text, every ground that may lie behind it is found
// after layout, and the color is moved in OKLCH, hue kept, until it has contrast. In the dark, light grounds become dark
// first. Pictures stay; what lies on them gets its original ground. All is read before anything is written.
import { contrastOf, formatRgb, fromOklch, overlay, type Rgb, toOklch } from '../../lib/colors.ts';
import { type Found, groundsBehind, readElement } from './frame-grounds.ts';

/** The ground that a mail without colours has in the dark, and its words. */
export const darkGround: Rgb = { r: 21, g: 25, b: 34, a: 1 };
export const darkInk: Rgb = { r: 232, g: 235, b: 241, a: 1 };
const paper: Rgb = { r: 255, g: 255, b: 255, a: 1 };

/** WCAG 2.2 AA asks for 4.5; the rest is for rounding. */
const leastContrast = 4.6;
/** What is moved is moved to this. */
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

const worstOf = (color: Rgb, grounds: readonly Rgb[]): number =>
  Math.min(...grounds.map(ground => contrastOf(overlay(color, ground), ground)));

/** Words that can be read on all of these grounds: the same hue, as much lighter or darker as that takes; null for none. */
export function toReadableOnAll(color: Rgb, grounds: readonly Rgb[], enough: number): Rgb | null {
  if (worstOf(color, grounds) >= enough) return color;
  const { l, c, h } = toOklch(color);
  for (const wanted of [readableContrast, leastContrast])
    for (let step = lightnessStep; step < 1 + lightnessStep; step += lightnessStep)
      for (const lightness of [Math.min(1, l + step), Math.max(0, l - step)]) {
        const tried = fromOklch({ l: lightness, c: lightness === 0 || lightness === 1 ? 0 : c, h });
        if (worstOf(tried, grounds) >= wanted) return tried;
      }
  return null;
}

/** Words that can be read on this ground. One of black and white always can. */
export function toReadable(color: Rgb, ground: Rgb): Rgb {
  const found = toReadableOnAll(color, [ground], readableContrast);
  if (found !== null) return found;
  const white = { r: 255, g: 255, b: 255, a: 1 };
  const black = { r: 0, g: 0, b: 0, a: 1 };
  return contrastOf(white, ground) > contrastOf(black, ground) ? white : black;
}

const put = (element: HTMLElement, property: string, value: string): void =>
  element.style.setProperty(property, value, 'important');

/** The grounds of an element as they are to be: made dark, or as they are. Opaque ones only where it says so. */
function settleGrounds(found: Found, isDark: boolean): void {
  const { element, fill, picture } = found;
  if (picture === 'remote' && (fill === null || fill.a < 1)) {
    // Nobody knows what a picture looks like: under it lies what its words were written for.
    found.fill = overlay(fill ?? { ...paper, a: 0 }, paper);
    put(element, 'background-color', formatRgb(found.fill));
  } else if (isDark && fill !== null && picture === 'none') {
    found.fill = toDarkGround(fill);
    put(element, 'background-color', formatRgb(found.fill));
  }
}

/** Takes away what would make the words another color than the one that is set. */
function settleEffects({ element, effects }: Found): void {
  for (const [property, value] of effects) put(element, property, value);
}

function settleWords(found: Found, base: Rgb, isDark: boolean, all: ReadonlyMap<Element, Found>): void {
  const { element, color } = found;
  const grounds = groundsBehind(found, base, all);
  const enough = isDark ? readableContrast : leastContrast;
  let words = toReadableOnAll(color, grounds, enough);
  if (words === null) {
    // No color can be read on all of them: the element gets one ground of its own.
    const ground = isDark ? darkGround : paper;
    put(element, 'background', formatRgb(ground));
    found.fill = ground;
    found.stops = [];
    words = toReadable(color, ground);
  }
  put(element, 'color', formatRgb(words));
}

/**
 * Makes all words in the frame readable; with `isDark` light grounds become dark first. `pause` lets the page breathe
 * between slices of work.
 */
export async function makeReadable(
  frame: Document,
  isDark: boolean,
  pause: () => Promise<void> | null,
): Promise<void> {
  const all = new Map<Element, Found>();
  for (const element of [
    frame.documentElement,
    frame.body,
    ...frame.body.querySelectorAll<HTMLElement>('*'),
  ]) {
    const found = readElement(element as HTMLElement);
    if (found !== null) all.set(element, found);
    const rest = pause();
    if (rest !== null) await rest;
  }
  for (const found of all.values()) {
    settleGrounds(found, isDark);
    settleEffects(found);
    if (isDark && found.border !== null)
      put(found.element, 'border-color', formatRgb(toDarkGround(found.border)));
    const rest = pause();
    if (rest !== null) await rest;
  }
  const base = isDark ? darkGround : paper;
  for (const found of all.values()) {
    if (found.words !== null || found.picture !== 'none') settleWords(found, base, isDark, all);
    const rest = pause();
    if (rest !== null) await rest;
  }
}
