import { expect, test } from 'vitest';
import { createAheadOfTime } from './clean-ahead.ts';

const turn = () => new Promise<void>(resolve => setTimeout(resolve));

test('only the latest wanted item is computed, once, and shared with callers that wait for it', async () => {
  const begun: string[] = [];
  let finish: (value: string) => void = () => undefined;
  const ahead = createAheadOfTime(({ name }: { readonly name: string }) => {
    begun.push(name);
    return new Promise<string>(resolve => {
      finish = resolve;
    });
  }, turn);
  const [one, two, three] = [{ name: 'one' }, { name: 'two' }, { name: 'three' }];
  ahead.want(one);
  ahead.want(two);
  expect(ahead.find(two)).toBeUndefined();
  await expect.poll(() => begun).toEqual(['two']);
  const asked = ahead.find(two);
  ahead.want(three);
  ahead.want(two);
  finish('made');
  expect(await asked).toBe('made');
  await turn();
  await turn();
  expect(begun).toEqual(['two']);
  ahead.want(three);
  await expect.poll(() => begun).toEqual(['two', 'three']);
});

test('a failed result is not kept, and a result computed elsewhere is', async () => {
  let tries = 0;
  const ahead = createAheadOfTime(async (_: object) => {
    tries += 1;
    throw new Error('no');
  }, turn);
  const [one, two] = [{}, {}];
  ahead.want(one);
  await expect.poll(() => tries).toBe(1);
  await expect.poll(() => ahead.find(one)).toBeUndefined();
  ahead.keep(two, 'made' as never);
  expect(await ahead.find(two)).toBe('made');
});
