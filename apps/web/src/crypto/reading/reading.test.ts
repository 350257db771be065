// Reading workers are terminated together with their garbage, but never while they hold data that
// exists nowhere else.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { READING_IDLE_MS } from '../../timing.ts';
import { createReading } from './reading.ts';

const ids = (count: number): string[] => Array.from({ length: count }, (_, n) => `${n}`);

/** Fake workers; `log` records what happened to them. */
function workers(sources: () => Promise<void> = async () => undefined) {
  const log: string[] = [];
  let count = 0;
  let breakLast: () => void = () => undefined;
  const start = () => {
    const name = ++count;
    log.push(`start ${name}`);
    let added = 0;
    const broken = new Promise<never>((_, reject) => {
      breakLast = () => reject(new Error('gone'));
    });
    return {
      remote: {
        add: async (some: readonly string[]) => {
          added += some.length;
          return 1;
        },
        finish: async () => new Uint8Array([added]),
        texts: () => new Promise<never>(() => undefined),
        sources,
      },
      broken,
      end: () => log.push(`end ${name}`),
    };
  };
  return { log, start, breakLast: () => breakLast() };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a worker ends after a thousand messages, once their segment is finished', async () => {
  const { log, start } = workers();
  const reading = createReading(start);
  for (let n = 0; n < 5; n++) await reading.add(ids(200));
  expect([reading.added(), log]).toEqual([1_000, ['start 1']]);
  await reading.finish();
  expect([reading.added(), log]).toEqual([0, ['start 1', 'end 1']]);
  await reading.add(ids(1));
  expect(log.at(-1)).toBe('start 2');
});

test('an idle worker ends after a while, but not while it holds messages without a segment', async () => {
  const { log, start } = workers();
  const reading = createReading(start);
  await reading.add(ids(3));
  vi.advanceTimersByTime(10 * READING_IDLE_MS);
  expect(log).toEqual(['start 1']);
  expect(await reading.finish()).toEqual(new Uint8Array([3]));
  vi.advanceTimersByTime(READING_IDLE_MS - 1);
  expect(log).toEqual(['start 1']);
  vi.advanceTimersByTime(1);
  expect(log).toEqual(['start 1', 'end 1']);
  expect(await reading.finish()).toBeNull();
  expect(log).toHaveLength(2);
});

test('requests to a broken worker fail, and the next request starts another worker', async () => {
  const { log, start, breakLast } = workers();
  const reading = createReading(start);
  await reading.add(ids(3));
  const asked = reading.texts(['a']);
  breakLast();
  await expect(asked).rejects.toThrow('gone');
  expect([reading.added(), log]).toEqual([0, ['start 1', 'end 1']]);
  await reading.add(ids(2));
  expect(await reading.finish()).toEqual(new Uint8Array([2]));
  expect(log).toEqual(['start 1', 'end 1', 'start 2']);
});

test('a worker at its message limit ends with its last request while the next one already works', async () => {
  const held: (() => void)[] = [];
  const { log, start } = workers(() => new Promise(resolve => held.push(resolve)));
  const reading = createReading(start);
  const take = async (): Promise<void> => undefined;
  const first = [reading.sources(ids(2_500), take), reading.sources(ids(2_500), take)];
  const next = reading.sources(ids(50), take);
  expect(log).toEqual(['start 1', 'start 2']);
  held[0]?.();
  await first[0];
  expect(log).toHaveLength(2);
  held[1]?.();
  await first[1];
  expect(log).toEqual(['start 1', 'start 2', 'end 1']);
  held[2]?.();
  await next;
  vi.advanceTimersByTime(READING_IDLE_MS);
  expect(log.at(-1)).toBe('end 2');
});
