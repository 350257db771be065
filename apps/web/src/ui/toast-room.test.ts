import { expect, test } from 'vitest';
import { liftOver } from './toast-room.ts';

const box = { left: 1064, right: 1424, top: 838, bottom: 884 };
const bar = (top: number, bottom: number, left = 0, right = 1440) => ({ left, right, top, bottom });

test('toasts stay in place when nothing is under them', () => {
  expect(liftOver(box, [])).toBe(0);
  expect(liftOver(box, [bar(856, 900, 0, 1064), bar(0, 400)])).toBe(0);
});

test('toasts move above a bar, and above what they would then cover', () => {
  expect(box.bottom - liftOver(box, [bar(856, 900)])).toBe(848);
  expect(box.bottom - liftOver(box, [bar(856, 900), bar(800, 840, 1100, 1200)])).toBe(792);
  // An obstacle above the toasts does not matter as long as they fit below it.
  expect(box.bottom - liftOver(box, [bar(856, 900), bar(700, 790)])).toBe(848);
});

test('toasts never leave the page', () => {
  expect(box.top - liftOver(box, [bar(0, 900)])).toBe(8);
});
