/**
 * What races are run on: two servers over one database, fifty calls at one moment by turns at each, and what the tables say
 * afterwards.
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
  /** A client at one of the two servers, by turns. */
  readonly clientAt: (n: number, from?: Pick<TestUser, 'client'>) => TestClient;
  readonly users: (count: number) => Promise<TestUser[]>;
  readonly idOf: (user: TestUser) => Promise<string>;
  readonly count: (table: string, where?: ReturnType<typeof sql<SqlBool>>) => Promise<number>;
  readonly expectTrueCounters: () => Promise<void>;
  readonly usedBy: (userId: string) => Promise<number>;
  /** Leaves a user with so much room, whatever is stored, while `work` runs. */
  readonly withRoom: (user: TestUser, bytes: number, work: () => Promise<void>) => Promise<void>;
};

/** Prints how a race ended, for whoever reads the numbers. */
export function say(name: string, answers: readonly string[], recount: string): boolean {
  const tally = [...Map.groupBy(answers, answer => answer)].map(([answer, all]) => `${all.length} ${answer}`);
  return process.stdout.write(
    `races: ${name}: ${answers.length} at once: ${tally.sort().join(', ')}; ${recount}\n`,
  );
}

/** Makes fifty calls at one moment and gives what became of each. */
export const race = (call: (n: number) => Promise<unknown>): Promise<string[]> =>
  Promise.all(Array.from({ length: AT_ONCE }, (_, n) => codeOf(call(n))));

export const won = (answers: readonly string[]): number => answers.filter(answer => answer === 'none').length;

/** Asks again for as long as it is told that others are being served. */
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

/** A sealed file of 20,000 bytes. */
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
