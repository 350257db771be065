import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ServiceClock, startServiceClock } from './service-clock.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Simulates a machine and a database that may be remote: their clocks, and the latency of queries
 * in both directions.
 */
function createWorld() {
  const world = {
    monotonicMs: 7_000,
    wallMs: Date.parse('2026-11-25T10:00:00Z'),
    databaseMs: Date.parse('2026-11-25T10:00:00Z'),
    thereMs: 0,
    backMs: 0,
    isAway: false,
    onAsked: (): void => undefined,
    questions: 0,
    warnings: [] as string[],
    run: (byMs: number): void => {
      world.monotonicMs += byMs;
      world.wallMs += byMs;
      world.databaseMs += byMs;
    },
    /** Suspends the virtual machine: its monotonic clock stops meanwhile. */
    sleep: (byMs: number): void => {
      world.wallMs += byMs;
      world.databaseMs += byMs;
    },
    pass: async (byMs: number): Promise<void> => {
      for (let ms = 0; ms < byMs; ms += SECOND_MS) {
        world.run(SECOND_MS);
        await vi.advanceTimersByTimeAsync(SECOND_MS);
      }
    },
    start: async (): Promise<ServiceClock> => {
      clock = await startServiceClock({
        ask: async () => {
          world.questions += 1;
          if (world.isAway) throw new Error('away');
          world.run(world.thereMs);
          const toldMs = world.databaseMs;
          world.onAsked();
          world.run(world.backMs);
          return toldMs;
        },
        logger: {
          debug: () => undefined,
          warn: (_about: unknown, line: string) => world.warnings.push(line),
        } as never,
        timers: { monotonicMs: () => world.monotonicMs, wallMs: () => world.wallMs },
      });
      return clock;
    },
    /** Returns how far the clock is ahead of the database. */
    error: (): number => (clock?.now().getTime() ?? Number.NaN) - world.databaseMs,
  };
  return world;
}

let clock: ServiceClock | null = null;
let world: ReturnType<typeof createWorld>;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  world = createWorld();
});
afterEach(() => {
  clock?.close();
  clock = null;
  vi.useRealTimers();
});

test('machines agree on the time of the database, whatever their own clocks say', async () => {
  world.wallMs += 10 * MINUTE_MS;
  await world.start();
  expect(world.error()).toBe(0);
  expect(world.warnings).toEqual(['clock differs from the database, using the database time']);
  await world.pass(3 * MINUTE_MS);
  expect(world.error()).toBe(0);
});

test('half the round trip of the fastest answer is added to the time', async () => {
  Object.assign(world, { thereMs: 400, backMs: 0 });
  world.onAsked = () => Object.assign(world, { thereMs: 20, backMs: 20 });
  await world.start();
  expect(world.error()).toBe(0);
  expect(world.questions).toBe(3);
});

test('the time is queried every 30 seconds, and corrections are as small as possible', async () => {
  Object.assign(world, { thereMs: 20, backMs: 20 });
  await world.start();
  const asked = world.questions;
  Object.assign(world, { thereMs: 1, backMs: 15 });
  await world.pass(5 * MINUTE_MS);
  expect(world.questions).toBe(asked + 10);
  expect(world.error()).toBe(0);
  // Two machines' clocks drift apart.
  world.databaseMs += 30;
  await world.pass(MINUTE_MS);
  expect(Math.abs(world.error())).toBeLessThanOrEqual(16);
  expect(world.warnings).toEqual([]);
});

test('a jump of the local clock has no effect', async () => {
  await world.start();
  for (const byMs of [HOUR_MS, -2 * HOUR_MS]) {
    world.wallMs += byMs;
    expect(world.error()).toBe(0);
    await world.pass(MINUTE_MS);
    expect(world.error()).toBe(0);
  }
  expect(world.warnings).toEqual([]);
});

test('the service clock keeps running without the database, also when the local clock jumps', async () => {
  await world.start();
  world.isAway = true;
  await world.pass(10 * MINUTE_MS);
  world.wallMs += HOUR_MS;
  await world.pass(10 * MINUTE_MS);
  expect(world.error()).toBe(0);
  world.isAway = false;
  await world.pass(MINUTE_MS);
  expect(world.error()).toBe(0);
});

test('the service clock makes no small step back but waits until the database has caught up', async () => {
  const started = await world.start();
  world.databaseMs -= 3 * SECOND_MS;
  const times: number[] = [];
  for (let second = 0; second < 60; second++) {
    times.push(started.now().getTime());
    await world.pass(SECOND_MS);
  }
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  expect(world.error()).toBe(0);
  expect(world.warnings).toEqual([]);
});

test('a real jump of the database’s clock is followed in both directions and logged', async () => {
  await world.start();
  for (const byMs of [HOUR_MS, -HOUR_MS]) {
    world.databaseMs += byMs;
    await world.pass(MINUTE_MS);
    expect(world.error()).toBe(0);
  }
  expect(world.warnings).toEqual(['service time jumped', 'service time jumped']);
});

test('an answer that took too long is ignored', async () => {
  await world.start();
  world.databaseMs += HOUR_MS;
  Object.assign(world, { thereMs: 0, backMs: 20 * SECOND_MS });
  await world.pass(MINUTE_MS);
  expect(world.error()).toBe(-HOUR_MS);
  world.backMs = 0;
  await world.pass(MINUTE_MS);
  expect(world.error()).toBe(0);
});

test('after the machine slept, leases wait until the database has been queried', async () => {
  const started = await world.start();
  const asked = world.questions;
  await started.whenSure();
  expect(world.questions).toBe(asked);
  world.sleep(HOUR_MS);
  world.isAway = true;
  await expect(started.whenSure()).rejects.toThrow('away');
  world.isAway = false;
  await started.whenSure();
  expect(world.error()).toBe(0);
  // Also when no caller waits for it, a moment later.
  world.sleep(HOUR_MS);
  await world.pass(2 * SECOND_MS);
  expect(world.error()).toBe(0);
});

test('an answer is discarded when the machine slept before receiving it', async () => {
  const started = await world.start();
  world.sleep(HOUR_MS);
  let naps = 1;
  world.onAsked = () => {
    if (naps-- > 0) world.sleep(HOUR_MS);
  };
  await started.whenSure();
  expect(world.error()).toBe(0);
});

test('the service clock does not start without the database', async () => {
  world.isAway = true;
  await expect(world.start()).rejects.toThrow('away');
});
