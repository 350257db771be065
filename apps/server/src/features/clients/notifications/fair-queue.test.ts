import { expect, test } from 'vitest';
import { createFairQueue } from './fair-queue.ts';

function queueOf(...users: string[]) {
  const waiting = users.map((user_id, n) => ({ user_id, n }));
  return createFairQueue(async served => {
    const at = waiting.findIndex(({ user_id }) => !served.includes(user_id));
    return at < 0 ? undefined : waiting.splice(at, 1)[0];
  });
}

test('users take turns, and each user’s jobs run oldest first', async () => {
  const next = queueOf('a', 'a', 'a', 'b', 'b', 'c');
  const got = await Promise.all(Array.from({ length: 7 }, next));
  expect(got.map(job => job?.user_id)).toEqual(['a', 'b', 'c', 'a', 'b', 'a', undefined]);
  expect(got.filter(job => job?.user_id === 'a').map(job => job?.n)).toEqual([0, 1, 2]);
});

test('a failed claim consumes no turn and does not fail later ones', async () => {
  let fails = true;
  const next = createFairQueue(async () => {
    if (fails) throw new Error('no database');
    return { user_id: 'a' };
  });
  await expect(next()).rejects.toThrow('no database');
  fails = false;
  expect(await next()).toEqual({ user_id: 'a' });
});
