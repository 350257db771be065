// Makes messages readable in dark mode whatever colors they set. After layout, it finds every
// background that may be behind each element's text and moves the text color in OKLCH, keeping the
// hue, until the contrast suffices; light backgrounds are darkened first. Pictures stay, and text
// over them keeps its original background. Text that a message hides by its colors stays hidden.
// All reads happen before any write, so that the browser computes styles once.
import { contrastOf, formatRgb, fromOklch, overlay, type Rgb, toOklch } from '../../../lib/colors.ts';
import { type Found, groundsBehind, isOverPicture, readElement } from './frame-grounds.ts';

/** Background and text color in dark mode of messages that set no colors. */
export const darkGround: Rgb = { r: 21, g: 25, b: 34, a: 1 };
export const darkInk: Rgb = { r: 232, g: 235, b: 241, a: 1 };
const paper: Rgb = { r: 255, g: 255, b: 255, a: 1 };

/** WCAG 2.2 AA requires 4.5; the rest allows for rounding. */
const LEAST_CONTRAST = 4.6;
/** Target contrast for colors that are changed. */
const READABLE_CONTRAST = 6;
/** Text with less contrast in the original is hidden on purpose. */
const HIDDEN_CONTRAST = 1.2;
const LIGHTNESS_STEP = 0.03;
/** Backgrounds with a greater OKLCH lightness count as light. */
const LIGHT_GROUND = 0.5;
/** Text without a hue and darker than this counts as black and gets the dark theme's text color. */
const blackInk = { l: 0.42, c: 0.03 };

/**
 * Returns a background for dark mode: light colors are darkened and keep the order of their
 * lightness; dark colors stay.
 */
export function toDarkGround(color: Rgb): Rgb {
  const { l, c, h } = toOklch(color);
  if (l <= LIGHT_GROUND) return color;
  return fromOklch({ l: 0.22 + (1 - l) * 0.5, c: Math.min(c, 0.08), h }, color.a);
}

const worstOf = (color: Rgb, grounds: readonly Rgb[]): number =>
  Math.min(...grounds.map(ground => contrastOf(overlay(color, ground), ground)));

/**
 * Returns a text color that is readable on all these backgrounds, with the same hue and as little
 * change of lightness as possible, or null when there is none.
 */
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

/** Returns a text color that is readable on this background. Black or white always is. */
export function toReadable(color: Rgb, ground: Rgb): Rgb {
  const found = toReadableOnAll(color, [ground]);
  if (found !== null) return found;
  const black = { r: 0, g: 0, b: 0, a: 1 };
  return contrastOf(paper, ground) > contrastOf(black, ground) ? paper : black;
}

const put = (element: HTMLElement, property: string, value: string): void =>
  element.style.setProperty(property, value, 'important');

/**
 * Returns whether the message hides this text, like a preheader: the text is too small to see, or
 * has the color of its background.
 */
function isHiddenByMail(found: Found, all: ReadonlyMap<Element, Found>): boolean {
  if (found.words === null || found.picture === 'remote') return false;
  if (found.fontSizePx < 2) return true;
  const grounds = groundsBehind(found, paper, all);
  return (
    grounds.every(ground => contrastOf(overlay(found.color, ground), ground) < HIDDEN_CONTRAST) &&
    !isOverPicture(found, all)
  );
}

/**
 * Sets the final background of an element: dark, or, under a picture, the one its text was written
 * for.
 */
function settleGrounds(found: Found): void {
  const { element, fill, picture } = found;
  if (picture === 'intricate') {
    found.fill = darkGround;
    put(element, 'background', formatRgb(darkGround));
  } else if (picture === 'remote' && (fill === null || fill.a < 1)) {
    // The colors of the picture are unknown.
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
    // No color is readable on all of them, so the element gets its own background.
    put(element, 'background', formatRgb(darkGround));
    found.fill = darkGround;
    found.stops = [];
    words = toReadable(color, darkGround);
  }
  put(element, 'color', formatRgb(words));
}

/**
 * Makes all text in the frame readable in dark mode. The frame must still have the text colors of
 * the light theme. `pause` yields to the page between slices of work.
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
