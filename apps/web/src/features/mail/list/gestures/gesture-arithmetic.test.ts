// Calculations for touch gestures on the list.
import { describe, expect, test } from 'vitest';
import {
  ACTS_AT_PX,
  directionOf,
  isAtEdge,
  pullOf,
  REFRESHES_AT_PX,
  sweepOf,
  sweptPx,
} from './gesture-arithmetic.ts';

const chosen = { swipeEnd: 'archive', swipeStart: 'delete' } as const;

describe('the direction of a gesture', () => {
  test('is unknown before the finger has moved a little', () => {
    expect(directionOf(0, 0)).toBeNull();
    expect(directionOf(11, -11)).toBeNull();
    expect(directionOf(12, 0)).toBe('sideways');
    expect(directionOf(0, 12)).toBe('down');
    expect(directionOf(0, -12)).toBe('up');
  });

  test('is sideways only when it clearly is, so that a slanted scroll stays a scroll', () => {
    expect(directionOf(31, 20)).toBe('sideways');
    expect(directionOf(-31, 20)).toBe('sideways');
    expect(directionOf(30, 20)).toBe('down');
    expect(directionOf(-30, -20)).toBe('up');
  });
});

test('the screen edges are reserved for the system’s Back gesture', () => {
  expect([0, 23, 24, 366, 367, 390].map(x => isAtEdge(x, 390))).toEqual([
    true,
    true,
    false,
    false,
    true,
    true,
  ]);
});

describe('a swipe', () => {
  test('follows the text direction, not the screen', () => {
    expect(sweepOf(20, false, chosen)).toEqual({ action: 'archive', sign: 1, isToEnd: true });
    expect(sweepOf(-20, false, chosen)).toEqual({ action: 'delete', sign: -1, isToEnd: false });
    expect(sweepOf(20, true, chosen)).toEqual({ action: 'delete', sign: 1, isToEnd: false });
    expect(sweepOf(-20, true, chosen)).toEqual({ action: 'archive', sign: -1, isToEnd: true });
  });

  test('does nothing if no action was chosen', () => {
    expect(sweepOf(20, false, { ...chosen, swipeEnd: 'none' })).toBeNull();
    expect(sweepOf(-20, true, { ...chosen, swipeEnd: 'none' })).toBeNull();
  });

  test('is measured in its own direction only', () => {
    expect(sweptPx(ACTS_AT_PX, { sign: 1 })).toBe(ACTS_AT_PX);
    expect(sweptPx(-130, { sign: -1 })).toBe(130);
    expect(sweptPx(-130, { sign: 1 })).toBe(0);
  });
});

test('a pull moves the list at half its speed, up to a limit, and never upward', () => {
  expect(pullOf(2 * REFRESHES_AT_PX)).toEqual({ pulledPx: REFRESHES_AT_PX, offsetPx: REFRESHES_AT_PX });
  expect(pullOf(1_000)).toEqual({ pulledPx: 500, offsetPx: 108 });
  expect(pullOf(-40)).toEqual({ pulledPx: 0, offsetPx: 0 });
});
