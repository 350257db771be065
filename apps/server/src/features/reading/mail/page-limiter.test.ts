import { setImmediate as soon } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createPageLimiter } from './page-limiter.ts';

test('two pages per user are built at a time, in request order, and a failure frees its slot', async () => {
  const ration = createPageLimiter();
  const started: string[] = [];
  const endings: ((failure?: Error) => void)[] = [];
  const ask = (userId: string, name: string) =>
    ration.run(userId, () => {
      started.push(name);
      return new Promise<string>((resolve, reject) => {
        endings.push(failure => (failure === undefined ? resolve(name) : reject(failure)));
      });
    });
  const asked = ['a1', 'a2', 'a3', 'a4'].map(name => ask('a', name));
  const other = ask('b', 'b1');
  await soon();
  expect(started).toEqual(['a1', 'a2', 'b1']);
  endings[0]?.(new Error('broken'));
  await expect(asked[0]).rejects.toThrow('broken');
  await soon();
  expect(started).toEqual(['a1', 'a2', 'b1', 'a3']);
  for (const end of endings.splice(1)) end();
  await soon();
  endings[1]?.();
  expect(await Promise.all([...asked.slice(1), other])).toEqual(['a2', 'a3', 'a4', 'b1']);
});
