// In-memory cache of other builds' files: one lookup per file, bounded memory, and retries for
// missing files.
import { expect, test } from 'vitest';
import { createKeptFiles } from './kept-files.ts';

const MIB = 1024 * 1024;
const fileOf = (sizeBytes: number) => ({ plain: Buffer.alloc(sizeBytes), packed: Buffer.alloc(1) });

test('concurrent requests for a file cause one database query, and later ones are served from memory', async () => {
  let asked = 0;
  const find = createKeptFiles(async () => {
    asked += 1;
    return fileOf(10);
  });
  const [first, second] = await Promise.all([find('/a'), find('/a')]);
  expect(second).toBe(first);
  expect([await find('/a'), asked]).toEqual([first, 1]);
});

test('the least recently used files are evicted beyond 16 MB', async () => {
  const asked: string[] = [];
  const find = createKeptFiles(async at => {
    asked.push(at);
    return fileOf(5 * MIB);
  });
  for (const at of ['/a', '/b', '/c', '/a', '/d', '/a', '/b']) await find(at);
  expect(asked).toEqual(['/a', '/b', '/c', '/d', '/b']);
});

test('a missing file is not queried again for five seconds, for up to 1000 paths', async () => {
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

test('a failure is reported to the caller and not cached', async () => {
  let isAway = true;
  const find = createKeptFiles(async () => {
    if (isAway) throw new Error('away');
    return fileOf(1);
  });
  await expect(find('/a')).rejects.toThrow('away');
  isAway = false;
  expect((await find('/a'))?.plain.length).toBe(1);
});
