import { expect, test } from 'vitest';
import { contrastOf, toOklch } from '../../../lib/colors.ts';
import { darkGround, toDarkGround, toReadable } from './frame-colors.ts';

const rgb = (r: number, g: number, b: number) => ({ r, g, b, a: 1 });

test('light backgrounds become dark in order, and dark ones stay', () => {
  const white = toOklch(toDarkGround(rgb(255, 255, 255))).l;
  const grey = toOklch(toDarkGround(rgb(225, 225, 225))).l;
  expect(white).toBeLessThan(0.25);
  expect(grey).toBeGreaterThan(white);
  expect(toDarkGround(rgb(20, 30, 80))).toEqual(rgb(20, 30, 80));
});

test('makes any text readable on any background, in its own hue', () => {
  for (let value = 0; value <= 255; value += 15) {
    for (const color of [
      rgb(value, 0, 0),
      rgb(0, value, value),
      rgb(value, value, value),
      rgb(40, 40, value),
    ]) {
      for (const ground of [
        darkGround,
        toDarkGround(rgb(255, 240, 200)),
        rgb(200, 30, 30),
        rgb(120, 120, 120),
      ])
        expect(contrastOf(toReadable(color, ground), ground)).toBeGreaterThan(4.4);
    }
  }
  const red = toReadable(rgb(138, 43, 43), darkGround);
  expect(Math.abs(toOklch(red).h - toOklch(rgb(138, 43, 43)).h)).toBeLessThan(0.1);
});

test('leaves readable text alone', () => {
  expect(toReadable(rgb(240, 240, 240), darkGround)).toEqual(rgb(240, 240, 240));
});
