import { expect, test } from 'vitest';
import { createTestClock } from '../../../tests/harness/clock.ts';
import type { Outcome, Transmission } from '../../features/outbound/delivery/index.ts';
import { withCircuitBreaker } from './circuit-breaker.ts';

const unmet: Outcome = { kind: 'deferred', status: '4.4.1', text: 'nobody there', isUnmet: true };
const busy: Outcome = { kind: 'deferred', status: '4.2.1', text: '450 later', replyCode: 450 };

function world() {
  const clock = createTestClock();
  const tried: string[] = [];
  const answers: { next: Outcome } = { next: unmet };
  const transport = withCircuitBreaker(
    {
      transmit: async ({ domain, recipients }) => {
        tried.push(domain);
        return recipients.map(() => answers.next);
      },
    },
    clock,
  );
  const send = async (domain = 'dead.test', recipients = [`a@${domain}`, `b@${domain}`]) => {
    const job: Transmission = { domain, sender: '', recipients, message: Buffer.alloc(0), signingKey: null };
    const before = tried.length;
    const outcomes = await transport.transmit(job, new AbortController().signal);
    return { outcomes, isTried: tried.length > before };
  };
  return { clock, answers, send };
}

test('a destination without reachable hosts is paused after three attempts, longer each time, others are not', async () => {
  const { clock, send } = world();
  for (let count = 0; count < 3; count++) expect((await send()).isTried).toBe(true);
  expect(await send()).toEqual({ outcomes: [unmet, unmet], isTried: false });
  expect((await send('other.test')).isTried).toBe(true);
  for (const restMs of [30_000, 60_000, 120_000, 240_000, 240_000]) {
    clock.advance(restMs - 1);
    expect((await send()).isTried).toBe(false);
    clock.advance(1);
    expect((await send()).isTried).toBe(true);
  }
});

test('a destination that opens a session again is reset, and one that refuses mail is never paused', async () => {
  const { clock, answers, send } = world();
  for (let count = 0; count < 3; count++) await send();
  clock.advance(30_000);
  answers.next = busy;
  for (let count = 0; count < 5; count++) expect((await send()).isTried).toBe(true);
  answers.next = unmet;
  for (let count = 0; count < 3; count++) expect((await send()).isTried).toBe(true);
  expect((await send()).isTried).toBe(false);
});

test('setting the clock back ends a pause', async () => {
  const { clock, send } = world();
  for (let count = 0; count < 3; count++) await send();
  expect((await send()).isTried).toBe(false);
  clock.advance(-86_400_000);
  expect((await send()).isTried).toBe(true);
});
