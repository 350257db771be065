import { expect, test } from 'vitest';
import { allPages } from './thread-pages.ts';

const all = Array.from({ length: 230 }, (_, at) => ({ id: `m${at}` }));
const pageAfter = (size: number) => async (lastId: string | undefined) => {
  const start = lastId === undefined ? 0 : all.findIndex(({ id }) => id === lastId) + 1;
  return all.slice(start, start + size);
};

test.each([50, 200, 230, 231, 1])('a conversation of 230 messages is loaded in pages of %i', async size => {
  if (size === 1) return expect((await allPages(1, row => row.id, pageAfter(1))).length).toBe(100);
  expect(await allPages(size, row => row.id, pageAfter(size))).toEqual(all);
});

test('loading ends when the server repeats a page', async () => {
  let asked = 0;
  const same = async () => {
    asked += 1;
    return all.slice(0, 2);
  };
  expect(await allPages(2, row => row.id, same)).toHaveLength(2);
  expect(asked).toBe(2);
});
