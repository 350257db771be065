import { expect, test } from 'vitest';
import { readStops } from './frame-grounds.ts';

const stops = (count: number) =>
  Array.from({ length: count }, (_, index) => `rgb(${index % 256}, 0, 0) ${index}px`).join(', ');

test('reads each color of a gradient once', () => {
  expect(readStops('none')).toEqual([]);
  expect(
    readStops(
      'linear-gradient(rgb(1, 2, 3), rgb(1, 2, 3) 4px, rgba(0, 0, 0, 0.5)), url("data:image/png,rgb(9,9,9)")',
    ),
  ).toEqual([
    { r: 1, g: 2, b: 3, a: 1 },
    { r: 0, g: 0, b: 0, a: 0.5 },
  ]);
  expect(readStops(`url("data:image/png;base64,${'A'.repeat(100_000)}")`)).toEqual([]);
});

test('does not read a gradient with more than 20 colors', () => {
  expect(readStops(`linear-gradient(${stops(20)})`)).toHaveLength(20);
  expect(readStops(`linear-gradient(${stops(21)})`)).toBeNull();
  expect(readStops(`linear-gradient(${'rgb(0, 0, 0), '.repeat(50_000)}red)`)).toBeNull();
});
