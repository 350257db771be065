// The server and the address book are mocked.

import { serverImportsCalls } from '@keyfold/contract/calls/server-imports';
import { CallError } from '@keyfold/contract/client';
import { beforeEach, expect, test, vi } from 'vitest';

const failure = (status: number) =>
  new CallError(serverImportsCalls.status, { status, code: 'x', message: 'x' });
const book = vi.hoisted(() => ({ answers: [] as unknown[], asked: [] as string[] }));
vi.mock('../contacts/card-files.ts', () => ({
  importCards: async (text: string) => {
    book.asked.push(text);
    const answer = book.answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  },
}));
vi.mock('../../timing.ts', () => ({ importRetryMs: 0 }));
const { bringCards } = await import('./bring-cards.ts');
const { signal } = new AbortController();

beforeEach(() => {
  book.answers = [];
  book.asked = [];
});

test('contacts beyond the capacity of the address book are counted, and server failures are retried', async () => {
  book.answers = [failure(0), failure(503), { added: 1, known: 1, leftOut: 2 }];
  expect(await bringCards(['a', 'b'], signal)).toEqual({ added: 1, leftOut: 2 });
  expect(book.asked).toEqual(['ab', 'ab', 'ab']);
  expect(await bringCards([], signal)).toEqual({ added: 0, leftOut: 0 });
  expect(book.asked).toHaveLength(3);
});

test('contacts that cannot be stored do not stop the import, but an ended session does', async () => {
  for (const refused of [failure(400), failure(413), new RangeError('too large')]) {
    book.answers = [refused];
    expect(await bringCards(['a', 'b'], signal)).toEqual({ added: 0, leftOut: 2 });
  }
  for (const ended of [failure(401), new Error('Vault not found')]) {
    book.answers = [ended];
    await expect(bringCards(['a'], signal)).rejects.toBe(ended);
  }
});

test('a canceled run ends at once while the server is unavailable', async () => {
  const stop = new AbortController();
  book.answers = [failure(0)];
  stop.abort(new Error('cancelled'));
  await expect(bringCards(['a'], stop.signal)).rejects.toThrow('cancelled');
  expect(book.asked).toHaveLength(1);
});
