import { expect, test } from 'vitest';
import { createOwnerLimiter } from './owner-limiter.ts';

test('concurrency is limited in total and per user, so no user blocks the others', async () => {
  const turns = createOwnerLimiter({ perOwner: 2, inAll: 3, waitingPerOwner: 3 });
  const ends: (() => void)[] = [];
  const running: string[] = [];
  const work = (owner: string) =>
    turns.take(owner, async () => {
      running.push(owner);
      await new Promise<void>(resolve => ends.push(resolve));
    });
  const all = [...Array.from({ length: 5 }, () => work('ann')), work('ben'), work('ben')];
  expect(running).toEqual(['ann', 'ann', 'ben']);
  await expect(work('ann')).rejects.toMatchObject({ code: 'rate_limited' });
  while (running.length < 7 || ends.length > 0) {
    ends.shift()?.();
    await new Promise(resolve => setImmediate(resolve));
  }
  await Promise.all(all);
  expect(running).toHaveLength(7);
});
