import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ServiceClock, startServiceClock } from './service-clock.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** A machine, and a database that may be elsewhere: what their clocks say, and what a question takes there and back. */
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
    /** The virtual machine is suspended: its monotonic clock stands still meanwhile. */
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
    /** How far the clock is ahead of the database. */
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
  expect(world.warnings).toEqual(["this machine's clock is not the database's, which is gone by"]);
  await world.pass(3 * MINUTE_MS);
  expect(world.error()).toBe(0);
});

test('half of the way there and back is taken into account, of the answer that came soonest', async () => {
  Object.assign(world, { thereMs: 400, backMs: 0 });
  world.onAsked = () => Object.assign(world, { thereMs: 20, backMs: 20 });
  await world.start();
  expect(world.error()).toBe(0);
  expect(world.questions).toBe(3);
});

test('it is asked for anew every half minute, and an answer moves it no further than it must', async () => {
  Object.assign(world, { thereMs: 20, backMs: 20 });
  await world.start();
  const asked = world.questions;
  Object.assign(world, { thereMs: 1, backMs: 15 });
  await world.pass(5 * MINUTE_MS);
  expect(world.questions).toBe(asked + 10);
  expect(world.error()).toBe(0);
  // The crystals of two machines are not the same.
  world.databaseMs += 30;
  await world.pass(MINUTE_MS);
  expect(Math.abs(world.error())).toBeLessThanOrEqual(16);
  expect(world.warnings).toEqual([]);
});

test('a jump of the clock of this machine changes nothing', async () => {
  await world.start();
  for (const byMs of [HOUR_MS, -2 * HOUR_MS]) {
    world.wallMs += byMs;
    expect(world.error()).toBe(0);
    await world.pass(MINUTE_MS);
    expect(world.error()).toBe(0);
  }
  expect(world.warnings).toEqual([]);
});

test('while the database is away it goes on, through jumps of the clock of this machine too', async () => {
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

test('it takes no small step back, and waits until the database has caught up', async () => {
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

test('a real jump of the database’s clock is followed, both ways, and told', async () => {
  await world.start();
  for (const byMs of [HOUR_MS, -HOUR_MS]) {
    world.databaseMs += byMs;
    await world.pass(MINUTE_MS);
    expect(world.error()).toBe(0);
  }
  expect(world.warnings).toEqual(['the time of the service jumped', 'the time of the service jumped']);
});

test('an answer that took too long says nothing', async () => {
  await world.start();
  world.databaseMs += HOUR_MS;
  Object.assign(world, { thereMs: 0, backMs: 20 * SECOND_MS });
  await world.pass(MINUTE_MS);
  expect(world.error()).toBe(-HOUR_MS);
  world.backMs = 0;
  await world.pass(MINUTE_MS);
  expect(world.error()).toBe(0);
});

test('after a machine slept, leases wait until the database has said how long', async () => {
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
  // Without anybody who waits for it, a moment later.
  world.sleep(HOUR_MS);
  await world.pass(2 * SECOND_MS);
  expect(world.error()).toBe(0);
});

test('an answer is not believed when the machine slept before it heard it', async () => {
  const started = await world.start();
  world.sleep(HOUR_MS);
  let naps = 1;
  world.onAsked = () => {
    if (naps-- > 0) world.sleep(HOUR_MS);
  };
  await started.whenSure();
  expect(world.error()).toBe(0);
});

test('it does not begin without the database', async () => {
  world.isAway = true;
  await expect(world.start()).rejects.toThrow('away');
});
