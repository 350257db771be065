/**
 * Setup for tests of held sends: the app with a clock that the test controls, three users, and a
 * manual release.
 */
import type { Email } from '@keyfold/contract';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { createReleaser } from '../../src/features/outbound/sending/index.ts';
import { startTestApp, type TestApp } from './app.ts';
import { createTestClock, type TestClock } from './clock.ts';
import { readCounters } from './mailbox.ts';
import { type SendRequest, sealTestMessage, type TestMessage } from './sending.ts';
import { registerTestUser, type TestUser } from './users.ts';

export type HeldTest = {
  readonly app: TestApp;
  readonly clock: TestClock;
  readonly ann: TestUser;
  readonly ben: TestUser;
  readonly cat: TestUser;
};

/** Starts an app for the tests of one file. Verifies the counters afterwards. */
export function useHeldTest(): HeldTest {
  const test = { clock: createTestClock() } as { -readonly [K in keyof HeldTest]: HeldTest[K] };
  beforeAll(async () => {
    test.app = await startTestApp({ clock: test.clock });
    [test.ann, test.ben, test.cat] = await Promise.all([
      registerTestUser(test.app),
      registerTestUser(test.app),
      registerTestUser(test.app),
    ]);
    await test.app.db.updateTable('users').set({ plan: 'pro' }).execute();
  });
  afterAll(async () => {
    const { kept, recounted } = await readCounters(test.app.db);
    expect(kept).toEqual(recounted);
    await test.app.close();
  });
  beforeEach(() => test.clock.advance(1_000));
  return test;
}

/** Releases everything that is due. */
export async function releaseDue({ app }: HeldTest): Promise<void> {
  const releaser = createReleaser(app.deps);
  while (await releaser.releaseNext());
}

/** Sends a message that is held for ten seconds, or as `more` specifies. */
export const hold = async (
  sender: TestUser,
  message: TestMessage,
  more: Partial<SendRequest> = { undo_seconds: 10 },
): Promise<{ readonly id: string; readonly message_id: string }> =>
  (await sender.client.sending.send_private({ ...(await sealTestMessage(sender, message)), ...more })).data;

export const inbox = async (user: TestUser): Promise<Email[]> =>
  (await user.client.mail.query({ sent: false, draft: false })).data;

export const mailOf = async (user: TestUser, id: string): Promise<Email> =>
  (await user.client.mail.one({ id })).data;

/** Returns the received messages with this Message-ID. */
export const received = async (user: TestUser, messageId: string): Promise<Email[]> =>
  (await inbox(user)).filter(mail => mail.message_id === messageId);

export const countRows = async (
  { app }: HeldTest,
  table: 'held_sends' | 'held_copies' | 'held_recipients' | 'outbound_messages' | 'outbound_recipients',
): Promise<number> =>
  (
    await app.db
      .selectFrom(table)
      .select(eb => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
  ).n;

export async function expectNothingHeld(test: HeldTest): Promise<void> {
  for (const table of ['held_sends', 'held_copies', 'held_recipients'] as const)
    expect(await countRows(test, table)).toBe(0);
}
