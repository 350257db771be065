// Makes mail readable in the dark whatever it sets: for each element with words, every ground that may lie behind them is
// found after layout, and the color is moved in OKLCH, hue kept, until it has contrast; light grounds become dark first.
// Pictures stay, and what lies on them keeps its original ground. What a mail hides by its own colors stays hidden.
// All is read before anything is written, so that the browser computes styles once.
import { contrastOf, formatRgb, fromOklch, overlay, type Rgb, toOklch } from '../../../lib/colors.ts';
import { type Found, groundsBehind, isOverPicture, readElement } from './frame-grounds.ts';

/** The ground that a mail without colors has in the dark, and its words. */
export const darkGround: Rgb = { r: 21, g: 25, b: 34, a: 1 };
export const darkInk: Rgb = { r: 232, g: 235, b: 241, a: 1 };
const paper: Rgb = { r: 255, g: 255, b: 255, a: 1 };

/** WCAG 2.2 AA asks for 4.5; the rest is for rounding. */
const LEAST_CONTRAST = 4.6;
/** What is moved is moved to this. */
const READABLE_CONTRAST = 6;
/** Words with less contrast in the original are hidden on purpose. */
const HIDDEN_CONTRAST = 1.2;
const LIGHTNESS_STEP = 0.03;
/** Grounds lighter than this count as light. */
const LIGHT_GROUND = 0.5;
/** Words without a hue that are darker than this are what a mail calls black: they become the ink of the dark. */
const blackInk = { l: 0.42, c: 0.03 };

/** A ground for the dark: light ones become dark in the order of their lightness, dark ones stay. */
export function toDarkGround(color: Rgb): Rgb {
  const { l, c, h } = toOklch(color);
  if (l <= LIGHT_GROUND) return color;
  return fromOklch({ l: 0.22 + (1 - l) * 0.5, c: Math.min(c, 0.08), h }, color.a);
}

const worstOf = (color: Rgb, grounds: readonly Rgb[]): number =>
  Math.min(...grounds.map(ground => contrastOf(overlay(color, ground), ground)));

/** Words that can be read on all of these grounds: the same hue, as much lighter or darker as that takes; null for none. */
function toReadableOnAll(color: Rgb, grounds: readonly Rgb[]): Rgb | null {
  if (worstOf(color, grounds) >= READABLE_CONTRAST) return color;
  const { l, c, h } = toOklch(color);
  if (l < blackInk.l && c < blackInk.c && worstOf(darkInk, grounds) >= READABLE_CONTRAST) return darkInk;
  for (const wanted of [READABLE_CONTRAST, LEAST_CONTRAST])
    for (let step = LIGHTNESS_STEP; step < 1 + LIGHTNESS_STEP; step += LIGHTNESS_STEP)
      for (const lightness of [Math.min(1, l + step), Math.max(0, l - step)]) {
        const tried = fromOklch({ l: lightness, c: lightness === 0 || lightness === 1 ? 0 : c, h });
        if (worstOf(tried, grounds) >= wanted) return tried;
      }
  return null;
}

/** Words that can be read on this ground. One of black and white always can. */
export function toReadable(color: Rgb, ground: Rgb): Rgb {
  const found = toReadableOnAll(color, [ground]);
  if (found !== null) return found;
  const black = { r: 0, g: 0, b: 0, a: 1 };
  return contrastOf(paper, ground) > contrastOf(black, ground) ? paper : black;
}

const put = (element: HTMLElement, property: string, value: string): void =>
  element.style.setProperty(property, value, 'important');

/** Whether a mail hides these words: too small to be seen, or in the color of what is behind them, as previews are. */
function isHiddenByMail(found: Found, all: ReadonlyMap<Element, Found>): boolean {
  if (found.words === null || found.picture === 'remote') return false;
  if (found.fontSizePx < 2) return true;
  const grounds = groundsBehind(found, paper, all);
  return (
    grounds.every(ground => contrastOf(overlay(found.color, ground), ground) < HIDDEN_CONTRAST) &&
    !isOverPicture(found, all)
  );
}

/** The grounds of an element as they are to be: dark, or under a picture what its words were written for. */
function settleGrounds(found: Found): void {
  const { element, fill, picture } = found;
  if (picture === 'intricate') {
    found.fill = darkGround;
    put(element, 'background', formatRgb(darkGround));
  } else if (picture === 'remote' && (fill === null || fill.a < 1)) {
    // Nobody knows what a picture looks like.
    found.fill = overlay(fill ?? { ...paper, a: 0 }, paper);
    put(element, 'background-color', formatRgb(found.fill));
  } else if (fill !== null && picture === 'none') {
    found.fill = toDarkGround(fill);
    put(element, 'background-color', formatRgb(found.fill));
  }
}

function settleWords(found: Found, all: ReadonlyMap<Element, Found>): void {
  const { element, color } = found;
  const grounds = groundsBehind(found, darkGround, all);
  let words = toReadableOnAll(color, grounds);
  if (words === null) {
    // No color can be read on all of them: the element gets one ground of its own.
    put(element, 'background', formatRgb(darkGround));
    found.fill = darkGround;
    found.stops = [];
    words = toReadable(color, darkGround);
  }
  put(element, 'color', formatRgb(words));
}

/**
 * Makes all words in the frame readable in the dark. What the frame holds must still have the inks of the light;
 * `pause` lets the page breathe between slices of work.
 */
export async function makeReadable(frame: Document, pause: () => Promise<void> | null): Promise<void> {
  const breathe = async <Item>(items: Iterable<Item>, work: (item: Item) => void): Promise<void> => {
    for (const item of items) {
      work(item);
      const rest = pause();
      if (rest !== null) await rest;
    }
  };
  const { documentElement, body } = frame;
  const all = new Map<Element, Found>();
  await breathe([documentElement, body, ...body.querySelectorAll<HTMLElement>('*')], element => {
    const found = readElement(element);
    if (found !== null) all.set(element, found);
  });
  const hidden = new Set<Found>();
  await breathe(all.values(), found => {
    if (isHiddenByMail(found, all)) hidden.add(found);
  });
  await breathe(all.values(), found => {
    settleGrounds(found);
    for (const [property, value] of found.effects) put(found.element, property, value);
    if (found.border !== null) put(found.element, 'border-color', formatRgb(toDarkGround(found.border)));
  });
  await breathe(all.values(), found => {
    if (hidden.has(found)) put(found.element, 'color', 'transparent');
    else if (found.words !== null || found.picture !== 'none') settleWords(found, all);
  });
}
