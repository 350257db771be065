import { expect, test } from 'vitest';
import { createPauses } from './pauses.ts';

function work(ms: number) {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test('pauses only after a full slice of work, and lets other tasks run first', async () => {
  const pause = createPauses(5, new AbortController().signal);
  expect(pause()).toBeNull();
  work(6);
  let hadTurn = false;
  setTimeout(() => {
    hadTurn = true;
  });
  await pause();
  expect(hadTurn).toBe(true);
  expect(pause()).toBeNull();
});

test('aborted work ends at its next pause', async () => {
  const control = new AbortController();
  const pause = createPauses(1, control.signal);
  work(2);
  control.abort();
  await expect(pause()).rejects.toThrow('aborted');
});
