// Fills the document of message-frame.html with base styles, the sanitized body and folded
// quotations. The frame's own policy and its sandbox forbid scripts, so all work is done from
// outside. docs/interface.md#page-policy. Does not sanitize: the body must already be sanitized.
import { formatRgb } from '../../../lib/colors.ts';
import { darkInk } from './frame-colors.ts';
import { frameFont, lendFont } from './frame-font.ts';
import { foldQuotes } from './frame-quotes.ts';

// Text of pseudo-elements cannot be measured, so in dark mode it takes the color of its element.
// The first cascade layer overrides any `!important` of the message.
const baseStyle = `
@layer kf { html[data-theme="dark"] *::before, html[data-theme="dark"] *::after,
  html[data-theme="dark"] *::first-line, html[data-theme="dark"] *::first-letter,
  html[data-theme="dark"] *::marker { color: inherit !important; background: none !important;
  -webkit-text-fill-color: currentcolor !important; } }
html { overflow-x: auto; overflow-y: hidden; -webkit-text-size-adjust: 100%; }
body { margin: 0; font: 15px/23px "${frameFont}", system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; background: transparent;
  overflow-wrap: anywhere; }
table { overflow-wrap: break-word; }
img, video { max-width: 100%; height: auto; }
pre { white-space: pre-wrap; }
a { color: #234dc4; }
html[data-theme="dark"] a { color: #9ab6ff; }
blockquote { margin: 0 0 0 4px; padding-inline-start: 12px; border-inline-start: 2px solid #7d8593; }
details.kf-quote > summary { list-style: none; display: inline-block; margin: 6px 0; padding: 0 9px; border-radius: 8px;
  line-height: 16px; background: rgb(125 133 147 / 0.2); }
details.kf-quote > summary::-webkit-details-marker { display: none; }
img[data-blocked="hidden"] { display: none !important; }
img[data-blocked] { min-width: 24px; min-height: 24px; background: rgb(125 133 147 / 0.2); border-radius: 4px; }
:where(img[data-room]) { display: inline-block; overflow: hidden; color: #4a5261; font: 12px/16px system-ui, sans-serif;
  text-align: center; }
:where(html[data-theme="dark"] img[data-room]) { color: #b0b8c6; }
img[data-room="low"] { font-size: 0 !important; }
mark.kf-hit { background: #ffe08a; color: #171b24; border-radius: 2px; }
@media print { html[data-theme] { color-scheme: light; } html[data-theme] body { color: #000; } }
`;

export type FrameContent = {
  html: string;
  /** Whether the message is shown on a light or a dark background. */
  theme: 'light' | 'dark';
  /** Whether quoted text at the end is folded behind "···". */
  foldsQuotes: boolean;
  /** Label of the control that unfolds the quoted text. */
  quoteLabel: string;
};

/** Sets the default text colors of a theme, for everything without its own color. */
export function setInks(frame: Document, theme: 'light' | 'dark'): void {
  frame.documentElement.dataset.theme = theme;
  frame.body.style.color = theme === 'dark' ? formatRgb(darkInk) : '#171b24';
}

/**
 * A message's own dark-mode rules assume backgrounds that it does not have here. It is rendered as
 * in light mode and then recolored.
 */
function turnToLight(frame: Document): void {
  for (const style of frame.body.querySelectorAll('style')) {
    const css = style.textContent ?? '';
    if (!css.includes('prefers-color-scheme')) continue;
    style.textContent = css
      .replace(/prefers-color-scheme\s*:\s*dark/gi, 'max-width: 0px')
      .replace(/prefers-color-scheme(?:\s*:\s*light)?/gi, 'min-width: 0px');
  }
}

const LOWEST_FOR_WORDS_PX = 20;

/** Returns a length in pixels as written in an attribute or a style, or null for any other unit. */
function pixelsOf(...written: readonly (string | null)[]): number | null {
  const found = written.map(one => /^\s*(\d{1,4}(?:\.\d+)?)(?:px)?\s*$/.exec(one ?? '')?.[1]).find(Boolean);
  return found === undefined ? null : Number(found);
}

/**
 * Gives each picture the size that the message declares, whatever its actual size, so that the
 * content below does not move.
 */
function keepSizes(frame: Document): void {
  for (const image of frame.querySelectorAll<HTMLImageElement>('img[width][height]')) {
    const width = pixelsOf(image.getAttribute('width'));
    const height = pixelsOf(image.getAttribute('height'));
    const isStyled = image.style.width !== '' || image.style.height !== '';
    if (width && height && !isStyled) image.style.aspectRatio = `${width} / ${height}`;
  }
}

/**
 * A blocked picture keeps its space, with its alternative text inside, so that nothing moves when
 * it loads. It gets no source: the browser treats even the smallest placeholder as a separate
 * document, and a newsletter has dozens.
 */
function holdPlaces(frame: Document): void {
  for (const image of frame.querySelectorAll<HTMLImageElement>('img[data-blocked="remote"]:not([src])')) {
    const { style } = image;
    const width = pixelsOf(style.width, image.getAttribute('width'));
    const height = pixelsOf(style.height, image.getAttribute('height'));
    if (!width || !height) continue;
    image.dataset.room = height < LOWEST_FOR_WORDS_PX ? 'low' : '';
    if (style.width === '') style.width = `${width}px`;
    if (style.height === '') style.aspectRatio = `${width} / ${height}`;
  }
}

/** Writes the body into the frame. */
export function fillFrame(frame: Document, { html, theme, foldsQuotes, quoteLabel }: FrameContent): void {
  // Removes the styles that were written for the colors of the previous message.
  frame.documentElement.removeAttribute('style');
  frame.body.removeAttribute('style');
  frame.documentElement.style.setProperty('color-scheme', theme, 'important');
  if (frame.head.querySelector('style') === null) {
    const style = frame.createElement('style');
    style.textContent = baseStyle;
    frame.head.append(style);
    lendFont(frame);
  }
  setInks(frame, theme);
  frame.body.innerHTML = html;
  turnToLight(frame);
  keepSizes(frame);
  holdPlaces(frame);
  if (foldsQuotes) foldQuotes(frame.body, quoteLabel);
}
