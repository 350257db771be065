import { expect, test } from 'vitest';
import { createUploadLimiter, UPLOADS_AT_ONCE } from './upload-limiter.ts';

const pause = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 2));

test('runs a few uploads at a time in order, and a failure does not block the others', async () => {
  const limit = createUploadLimiter();
  const begun: number[] = [];
  let running = 0;
  let most = 0;
  const work = (number: number) => async () => {
    begun.push(number);
    running += 1;
    most = Math.max(most, running);
    await pause();
    running -= 1;
    if (number % 3 === 0) throw new Error('refused');
    return number;
  };
  const numbers = Array.from({ length: 30 }, (_, number) => number);
  const ended = await Promise.allSettled(numbers.map(number => limit(work(number))));
  expect(most).toBe(UPLOADS_AT_ONCE);
  expect(begun).toEqual(numbers);
  expect(ended.filter(({ status }) => status === 'rejected')).toHaveLength(10);
  expect(await limit(async () => 'again')).toBe('again');
});
