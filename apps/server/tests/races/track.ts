/**
 * Setup for race tests: two servers over one database, fifty concurrent calls that alternate
 * between them, and checks of the tables afterwards.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { CallError } from '@keyfold/contract/client';
import { createFileKey, sealWholeAttachment } from '@keyfold/crypto/attachment';
import { type SqlBool, sql } from 'kysely';
import { afterAll, beforeAll, expect } from 'vitest';
import { createMemoryBlobs, type MemoryBlobs } from '../../src/adapters/blob-memory.ts';
import { type App, startApp } from '../../src/app.ts';
import { startTestApp, type TestApp } from '../harness/app.ts';
import { createTestClient, type TestClient } from '../harness/client.ts';
import { createTestClock, type TestClock } from '../harness/clock.ts';
import { codeOf } from '../harness/codes.ts';
import { readCounters } from '../harness/mailbox.ts';
import { registerTestUser, type TestUser, userIdOf } from '../harness/users.ts';

export const AT_ONCE = 50;

export type Track = {
  readonly app: TestApp;
  readonly other: App;
  readonly blobs: MemoryBlobs;
  readonly clock: TestClock;
  /** Returns a client of one of the two servers, alternately. */
  readonly clientAt: (n: number, from?: Pick<TestUser, 'client'>) => TestClient;
  readonly users: (count: number) => Promise<TestUser[]>;
  readonly idOf: (user: TestUser) => Promise<string>;
  readonly count: (table: string, where?: ReturnType<typeof sql<SqlBool>>) => Promise<number>;
  readonly expectTrueCounters: () => Promise<void>;
  readonly usedBy: (userId: string) => Promise<number>;
  /** Leaves a user exactly this much free space while `work` runs, whatever is stored. */
  readonly withRoom: (user: TestUser, bytes: number, work: () => Promise<void>) => Promise<void>;
};

/** Prints the result of a race. */
export function say(name: string, answers: readonly string[], recount: string): boolean {
  const tally = [...Map.groupBy(answers, answer => answer)].map(([answer, all]) => `${all.length} ${answer}`);
  return process.stdout.write(
    `races: ${name}: ${answers.length} at once: ${tally.sort().join(', ')}; ${recount}\n`,
  );
}

/** Makes fifty concurrent calls and returns the result of each. */
export const race = (call: (n: number) => Promise<unknown>): Promise<string[]> =>
  Promise.all(Array.from({ length: AT_ONCE }, (_, n) => codeOf(call(n))));

export const won = (answers: readonly string[]): number => answers.filter(answer => answer === 'none').length;

/** Retries while the server reports that it is busy with other requests. */
export async function patiently<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof CallError) || error.status !== 429) throw error;
      await sleep(20);
    }
  }
}

export const ofUser = (userId: string) => sql<SqlBool>`user_id = ${userId}`;

/** Returns an encrypted file of 20,000 bytes. */
export const containerUnder = (messageKey: Uint8Array): Promise<Uint8Array> =>
  sealWholeAttachment({
    messageKey,
    fileKey: createFileKey(),
    meta: { name: 'a', type: 'text/plain', size: 20_000 },
    bytes: randomBytes(20_000),
  });

/** Starts the two servers for the tests of one file. */
export function useTrack(): Track {
  const track = { blobs: createMemoryBlobs(), clock: createTestClock() } as {
    -readonly [K in keyof Track]: Track[K];
  };
  beforeAll(async () => {
    const { blobs, clock } = track;
    track.app = await startTestApp({ blobs, clock });
    track.other = await startApp(track.app.config, track.app.database.connection, { blobs, clock });
  });
  afterAll(async () => {
    await track.other.close();
    await track.app.close();
  });
  track.clientAt = (n, from) =>
    createTestClient(n % 2 === 0 ? track.app.baseUrl : `http://127.0.0.1:${track.other.httpPort}`, {
      ...(from === undefined ? {} : { jar: from.client.jar.copy() }),
    });
  track.users = async count => {
    const made: TestUser[] = [];
    for (let n = 0; n < count; n++) made.push(await registerTestUser(track.app));
    return made;
  };
  track.idOf = user => userIdOf(track.app.db, user);
  track.count = async (table, where = sql<SqlBool>`true`) => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from ${sql.table(table)} where ${where}`.execute(track.app.db);
    return rows[0]?.n ?? -1;
  };
  track.expectTrueCounters = async () => {
    const { kept, recounted } = await readCounters(track.app.db);
    expect(kept).toEqual(recounted);
  };
  track.usedBy = async userId =>
    (
      await track.app.db
        .selectFrom('mailboxes')
        .select('used_bytes')
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
    ).used_bytes;
  track.withRoom = async (user, bytes, work) => {
    const id = await track.idOf(user);
    const filling = user.user.plan_config.storage_limit - bytes - (await track.usedBy(id));
    const add = (by: number) =>
      track.app.db
        .updateTable('mailboxes')
        .set(eb => ({ used_bytes: eb('used_bytes', '+', by) }))
        .where('user_id', '=', id)
        .execute();
    await add(filling);
    await work();
    expect(await track.usedBy(id)).toBeLessThanOrEqual(user.user.plan_config.storage_limit);
    await add(-filling);
  };
  return track;
}
