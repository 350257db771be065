import { expect, test } from 'vitest';
import { createGroupLookup } from './group-lookup.ts';
import { isUnreachable } from './pool.ts';

test('lookups that arrive during a running query are batched, and each gets its own result', async () => {
  const groups: string[][] = [];
  const lookup = createGroupLookup(async keys => {
    groups.push([...keys]);
    await new Promise(resolve => setTimeout(resolve, 5));
    if (keys.includes('broken')) throw new Error('no answer');
    return new Map(keys.filter(key => key !== 'absent').map(key => [key, `<${key}>`]));
  });
  const first = lookup('a');
  const later = ['b', 'absent', 'b', 'c'].map(key => lookup(key));
  expect(await first).toBe('<a>');
  const failing = [lookup('broken'), lookup('d')].map(answer =>
    answer.catch((error: Error) => error.message),
  );
  expect(await Promise.all(later)).toEqual(['<b>', undefined, '<b>', '<c>']);
  expect(await Promise.all(failing)).toEqual(['no answer', 'no answer']);
  expect(await lookup('e')).toBe('<e>');
  expect(groups).toEqual([['a'], ['b', 'absent', 'c'], ['broken', 'd'], ['e']]);
});

test('a query without an answer blocks neither its callers nor later ones', async () => {
  const { promise: end, resolve: answer } = Promise.withResolvers<ReadonlyMap<string, string>>();
  const answers = [end, Promise.resolve(new Map([['d', 'D']]))];
  const lookup = createGroupLookup(() => answers.shift() ?? end, 20);
  const early = [lookup('a'), lookup('b')];
  for (const one of early) await expect(one).rejects.toSatisfy(isUnreachable);
  const askedAt = performance.now();
  await expect(lookup('c')).rejects.toSatisfy(isUnreachable);
  expect(performance.now() - askedAt).toBeLessThan(20);
  answer(new Map());
  await end;
  await expect.poll(() => lookup('d').catch(() => 'busy'), { interval: 1 }).toBe('D');
});
