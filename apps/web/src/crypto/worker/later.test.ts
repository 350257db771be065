import { expect, test } from 'vitest';
import { later } from './later.ts';

const wait = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms));

test('calls start in the order they were made, even if a second load would be faster', async () => {
  const begun: string[] = [];
  const part = {
    open: () => void begun.push('open'),
    save: () => void begun.push('save'),
  };
  let fetched = 0;
  const { open, save } = later(
    async () => {
      fetched += 1;
      await wait(fetched === 1 ? 30 : 0);
      return part;
    },
    'open',
    'save',
  );
  await Promise.all([open(), save()]);
  expect(begun).toEqual(['open', 'save']);
});

test('a part that failed to load is loaded again by the next call', async () => {
  let isThere = false;
  const { name } = later(async () => {
    if (!isThere) throw new TypeError('no network');
    return { name: () => 'part' };
  }, 'name');
  await expect(name()).rejects.toThrow('no network');
  isThere = true;
  expect(await name()).toBe('part');
});
