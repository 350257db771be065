// Which messages are read for the index: those it lacks, and those that can be read better now than
// when they were indexed.
import { createBuilder, createIndex, type IndexedMail } from '@keyfold/search/index';
import { parseQuery } from '@keyfold/search/query';
import { afterEach, expect, test, vi } from 'vitest';
import type { Reading } from '../reading/reading.ts';
import { fill } from './search-filler.ts';
import type { SearchKeeper } from './search-keeper.ts';

afterEach(() => vi.unstubAllGlobals());

const at = Date.parse('2026-03-01T08:00:00Z') / 1000;
const mail = (id: string, subject: string): IndexedMail => ({
  id,
  at,
  flags: 0,
  texts: { from: '', to: '', subject, body: '', filename: '' },
});
const [garbled, other] = [crypto.randomUUID(), crypto.randomUUID()];

let uids = 0;
function segmentOf(mails: readonly IndexedMail[]): Uint8Array {
  const builder = createBuilder();
  for (const one of mails) builder.add(one);
  return builder.finish(new Uint8Array(16).fill(++uids));
}

/** Returns a mailbox of these messages as it is read now, and an older index of it. */
function mailbox(now: readonly IndexedMail[], indexed: readonly IndexedMail[]) {
  const index = createIndex();
  index.add(segmentOf(indexed));
  const asked: string[] = [];
  let builder: IndexedMail[] = [];
  vi.stubGlobal('location', { origin: 'https://mail.keyfold.test' });
  vi.stubGlobal('fetch', async (path: string) => {
    const data = path.startsWith('/user/emails/ids') ? now.map(({ id }) => [id, '2026-03-01T08:00:00Z']) : [];
    return Response.json({ data, count: data.length });
  });
  const reading = {
    added: () => builder.length,
    add: async (ids: readonly string[], newerThan?: ReadonlyMap<string, number>) => {
      asked.push(...ids);
      for (const id of ids) {
        const found = now.find(one => one.id === id) as IndexedMail;
        const before = newerThan?.get(id);
        builder.push(before === undefined ? found : { ...found, at: Math.max(found.at, before + 1) });
      }
      return at;
    },
    finish: async () => {
      const made = builder;
      builder = [];
      return made.length === 0 ? null : segmentOf(made);
    },
  } as unknown as Reading;
  const segments: Uint8Array[] = [];
  const keeper = {
    index,
    addSegment: async (bytes: Uint8Array) => {
      segments.push(bytes);
      index.add(bytes);
    },
    tidy: async () => undefined,
  } as unknown as SearchKeeper;
  const run = (again: readonly string[]) =>
    fill({ keeper, reading, again, rest: async () => undefined, onProgress: () => undefined }, true);
  return { run, asked, segments, index };
}

const hits = (index: ReturnType<typeof createIndex>, words: string): string[] =>
  index.search(parseQuery(words), 10, null).hits.map(({ id }) => id);

test('a message that decodes better now is found by its correct words and no longer by the wrong ones', async () => {
  const old = [mail(garbled, 'Grusse aus Munchn'), mail(other, 'Invoice')];
  const box = mailbox([mail(garbled, 'Viele Grüße'), mail(other, 'Invoice')], old);
  await box.run([garbled]);
  expect([box.asked, hits(box.index, 'Viele'), hits(box.index, 'Munchn')]).toEqual([
    [garbled],
    [garbled],
    [],
  ]);
  // Another device has the old segment and receives the new one, in either order.
  for (const order of [
    [segmentOf(old), ...box.segments],
    [...box.segments, segmentOf(old)],
  ]) {
    const there = createIndex();
    for (const bytes of order) there.add(bytes);
    expect([hits(there, 'Viele'), hits(there, 'Munchn'), there.mailCount()]).toEqual([[garbled], [], 2]);
  }
});

test('a message outside the index is read once, and a correctly indexed one is not read again', async () => {
  const box = mailbox([mail(garbled, 'Hello'), mail(other, 'Invoice')], [mail(other, 'Invoice')]);
  await box.run([garbled]);
  expect(box.asked).toEqual([garbled]);
  await box.run([]);
  expect(box.asked).toEqual([garbled]);
});
