import { expect, test } from 'vitest';
import {
  addToBatch,
  advanceProgress,
  emptyBatch,
  isFull,
  isSteppedOver,
  startProgress,
} from './import-progress.ts';

type Thing = { key: string; canBegin?: true };

/** Runs this plan over items; returns the items it processes and the progress at the end. */
function read(plan: Parameters<typeof startProgress>[0], things: readonly Thing[], file = 0) {
  let progress = startProgress(plan);
  const taken: string[] = [];
  for (const item of things) {
    progress = advanceProgress(progress, { item, file }, 0.5);
    if (!isSteppedOver(progress)) taken.push(item.key);
  }
  return { taken, done: progress.done, start: progress.start };
}

const things: readonly Thing[] = [
  { key: 'a', canBegin: true },
  { key: 'b' },
  { key: 'c', canBegin: true },
  { key: 'd' },
];
const startAt = (key: string, done: number) => ({ file: 0, key, done, share: 0.25 });

test('a new run processes everything and remembers the last item that it can resume from', () => {
  expect(read({ done: 0 }, things)).toEqual({
    taken: ['a', 'b', 'c', 'd'],
    done: 4,
    start: { file: 0, key: 'c', done: 2, share: 0.5 },
  });
});

test('a run from the start skips what an earlier run processed', () => {
  expect(read({ done: 3 }, things)).toMatchObject({ taken: ['d'], done: 4 });
});

test('a run that starts later counts the items before it and skips processed ones', () => {
  expect(read({ done: 3, start: startAt('c', 2) }, things.slice(2))).toMatchObject({
    taken: ['d'],
    done: 4,
    start: { key: 'c', done: 2 },
  });
});

test('nothing is skipped when the file or the starting item differs', () => {
  expect(read({ done: 3, start: startAt('x', 2) }, things)).toMatchObject({
    taken: ['a', 'b', 'c', 'd'],
    done: 4,
  });
  expect(read({ done: 3, start: startAt('a', 2) }, things, 1)).toMatchObject({ done: 4, start: { file: 1 } });
});

test('a batch is full at the byte limit, counting messages and unreadable items', () => {
  const batch = emptyBatch();
  const raw = new Uint8Array(3 * 1024 * 1024);
  addToBatch(batch, {
    kind: 'broken',
    key: '1',
    folder: ['A', 'B'],
    name: 'x'.repeat(300),
    reason: 'damaged',
    raw,
  });
  expect(isFull(batch)).toBe(false);
  expect(batch.skipped[0]).toMatchObject({ name: 'x'.repeat(200), folder: 'A/B', reason: 'damaged' });
  addToBatch(batch, { kind: 'removed', key: '2', folder: [], name: '', raw });
  expect(batch.skipped[1]?.reason).toBe('removed');
  expect(isFull(batch)).toBe(true);
});

test('a batch is full at a thousand items of any size', () => {
  const batch = emptyBatch();
  for (let count = 0; count < 1_000; count++) {
    expect(isFull(batch)).toBe(false);
    addToBatch(batch, { kind: 'contact', key: String(count), folder: [], vcard: 'V' });
  }
  expect(batch.cards).toHaveLength(1_000);
  expect(isFull(batch)).toBe(true);
});
