import { expect, test } from 'vitest';
import { placeTooltip } from './TooltipLayer.tsx';

const view = { width: 1000, height: 800 };
const tip = { width: 100, height: 26 };

test('a tooltip is centered below its control', () => {
  expect(placeTooltip({ left: 200, top: 100, width: 32, height: 32 }, tip, view)).toEqual({
    left: 166,
    top: 138,
  });
});

test('a tooltip without space below is placed above', () => {
  expect(placeTooltip({ left: 200, top: 760, width: 32, height: 32 }, tip, view)).toEqual({
    left: 166,
    top: 728,
  });
});

test('a tooltip never leaves the window', () => {
  expect(placeTooltip({ left: 0, top: 0, width: 32, height: 32 }, tip, view).left).toBe(8);
  expect(placeTooltip({ left: 980, top: 0, width: 20, height: 32 }, tip, view).left).toBe(892);
});
