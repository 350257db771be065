// Files of other builds in memory: asked for once, bounded, and what is not there is asked for again.
import { expect, test } from 'vitest';
import { createKeptFiles } from './kept-files.ts';

const MIB = 1024 * 1024;
const fileOf = (sizeBytes: number) => ({ plain: Buffer.alloc(sizeBytes), packed: Buffer.alloc(1) });

test('of many who ask for one file at a time one is answered by the database, and all later ones by memory', async () => {
  let asked = 0;
  const find = createKeptFiles(async () => {
    asked += 1;
    return fileOf(10);
  });
  const [first, second] = await Promise.all([find('/a'), find('/a')]);
  expect(second).toBe(first);
  expect([await find('/a'), asked]).toEqual([first, 1]);
});

test('what was asked for longest ago goes when more than sixteen megabytes are kept', async () => {
  const asked: string[] = [];
  const find = createKeptFiles(async at => {
    asked.push(at);
    return fileOf(5 * MIB);
  });
  for (const at of ['/a', '/b', '/c', '/a', '/d', '/a', '/b']) await find(at);
  expect(asked).toEqual(['/a', '/b', '/c', '/d', '/b']);
});

test('what nobody has is not asked for again for five seconds, and a thousand such paths are remembered', async () => {
  let [asked, nowMs] = [0, 0];
  const find = createKeptFiles(
    async () => {
      asked += 1;
      return null;
    },
    () => nowMs,
  );
  await find('/a');
  await find('/a');
  expect(asked).toBe(1);
  nowMs = 5_000;
  await find('/a');
  expect(asked).toBe(2);
  for (let n = 0; n < 1_000; n++) await find(`/${n}`);
  await find('/a');
  expect(asked).toBe(1_003);
});

test('a failure is told to who asked, and not kept', async () => {
  let isAway = true;
  const find = createKeptFiles(async () => {
    if (isAway) throw new Error('away');
    return fileOf(1);
  });
  await expect(find('/a')).rejects.toThrow('away');
  isAway = false;
  expect((await find('/a'))?.plain.length).toBe(1);
});
