/**
 * Setup for tests of stored bytes: the app with blobs in memory and a clock that the test controls,
 * and two users.
 */
import { afterAll, beforeAll, expect } from 'vitest';
import { createMemoryBlobs, type MemoryBlobs } from '../../src/adapters/blob-memory.ts';
import { startTestApp, type TestApp } from './app.ts';
import { createTestClock, type TestClock } from './clock.ts';
import { readCounters } from './mailbox.ts';
import { registerTestUser, type TestUser } from './users.ts';

export type TwoUsers = {
  readonly app: TestApp;
  readonly blobs: MemoryBlobs;
  readonly clock: TestClock;
  readonly alice: TestUser;
  readonly bob: TestUser;
};

/** Starts an app for the tests of one file. Verifies the counters afterwards. */
export function useTwoUsers(): TwoUsers {
  const world = { blobs: createMemoryBlobs(), clock: createTestClock() } as {
    -readonly [K in keyof TwoUsers]: TwoUsers[K];
  };
  beforeAll(async () => {
    world.app = await startTestApp({ blobs: world.blobs, clock: world.clock });
    world.alice = await registerTestUser(world.app);
    world.bob = await registerTestUser(world.app);
  });
  afterAll(async () => {
    const { kept, recounted } = await readCounters(world.app.db);
    expect(kept).toEqual(recounted);
    await world.app.close();
  });
  return world;
}
