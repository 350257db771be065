import { expect, test } from 'vitest';
import { contrastOf, formatRgb, fromOklch, overlay, parseRgb, toOklch } from './colors.ts';

const white = { r: 255, g: 255, b: 255, a: 1 };
const black = { r: 0, g: 0, b: 0, a: 1 };

test('parses computed colors and rejects others', () => {
  expect(parseRgb('rgb(1, 2, 3)')).toEqual({ r: 1, g: 2, b: 3, a: 1 });
  expect(parseRgb('rgba(1, 2, 3, 0.5)')).toEqual({ r: 1, g: 2, b: 3, a: 0.5 });
  expect(parseRgb('color(srgb 1 0 0)')).toBeNull();
  expect(parseRgb('red')).toBeNull();
});

test('a color survives the conversion to OKLCH and back', () => {
  for (const color of [
    'rgb(255, 0, 0)',
    'rgb(12, 200, 90)',
    'rgb(255, 255, 255)',
    'rgb(0, 0, 0)',
    'rgb(138, 43, 43)',
  ])
    expect(formatRgb(fromOklch(toOklch(parseRgb(color) ?? black)))).toBe(color);
});

test('a color that a screen cannot show loses chroma, not lightness', () => {
  const shown = fromOklch({ l: 0.8, c: 0.4, h: 0 });
  expect(toOklch(shown).l).toBeCloseTo(0.8, 1);
});

test('contrast follows WCAG', () => {
  expect(contrastOf(white, black)).toBeCloseTo(21);
  expect(contrastOf(white, white)).toBe(1);
  expect(contrastOf({ r: 118, g: 118, b: 118, a: 1 }, white)).toBeCloseTo(4.54, 1);
  expect(overlay({ ...black, a: 0.5 }, white)).toEqual({ r: 127.5, g: 127.5, b: 127.5, a: 1 });
});
