import { expect, test } from 'vitest';
import { ACTS_AT_PX, REFRESHES_AT_PX } from './gesture-arithmetic.ts';
import {
  endOf,
  type Gesture,
  type GestureEvent,
  IDLE,
  reduceGesture,
  type Touch,
} from './gesture-machine.ts';

type Held = { readonly kind: 'swipe' | 'pull' };

const from: Touch = { x: 50, y: 80, target: {} as Element };
const touched: GestureEvent<Held> = { kind: 'touched', from };
const swept: GestureEvent<Held> = { kind: 'begun', held: { kind: 'swipe' } };
const pulled: GestureEvent<Held> = { kind: 'begun', held: { kind: 'pull' } };
const moved = (movedPx: number): GestureEvent<Held> => ({ kind: 'moved', movedPx });
const after = (...events: GestureEvent<Held>[]) => events.reduce<Gesture<Held>>(reduceGesture, IDLE);

test('a touch without a direction holds nothing and ends without effect', () => {
  expect(after(touched)).toEqual({ phase: 'touched', from });
  expect(after(touched, moved(200))).toEqual({ phase: 'touched', from });
  expect(endOf(after(touched), true)).toBe('nothing');
  expect(endOf(after(touched, { kind: 'over' }), true)).toBe('nothing');
});

test('after a scroll or a selection no gesture begins until the next touch', () => {
  expect(after(touched, { kind: 'over' }, swept, moved(200))).toBe(IDLE);
});

test('a row swiped far enough acts when released, and springs back otherwise', () => {
  expect(endOf(after(touched, swept, moved(ACTS_AT_PX)), true)).toBe('act');
  expect(endOf(after(touched, swept, moved(ACTS_AT_PX - 1)), true)).toBe('back');
  expect(endOf(after(touched, swept, moved(ACTS_AT_PX), moved(10)), true)).toBe('back');
  expect(endOf(after(touched, swept, moved(ACTS_AT_PX)), false)).toBe('back');
});

test('a list pulled far enough refreshes when released, and springs back otherwise', () => {
  expect(endOf(after(touched, pulled, moved(REFRESHES_AT_PX)), true)).toBe('refresh');
  expect(endOf(after(touched, pulled, moved(REFRESHES_AT_PX - 1)), true)).toBe('back');
  expect(endOf(after(touched, pulled, moved(REFRESHES_AT_PX)), false)).toBe('back');
});

test('a gesture whose end was missed stays held and restarts with the next touch', () => {
  const next = { ...from, x: 300 };
  expect(after(touched, swept, moved(200), { kind: 'touched', from: next })).toEqual({
    phase: 'held',
    from: next,
    held: { kind: 'swipe' },
    movedPx: 0,
  });
});
