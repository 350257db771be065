import { expect, test } from 'vitest';
import { z } from 'zod';
import { type CallReply, createClient } from './client.ts';
import { mail } from './mail.ts';
import { parseAnswer, rowsOf } from './rows.ts';
import { isUnreadableMail } from './unreadable.ts';

const good = (id: string) => ({
  id,
  summary: 's',
  binding: 'b',
  ciphertext: 'c',
  encrypted_key: 'k',
  dh_public: null,
  salt: null,
  key_used: null,
  headers: 'From: a@b.test',
  from: 'a@b.test',
  message_id: '<a@b>',
  thread_id: id,
  tags: [],
  sent: false,
  read: false,
  starred: false,
  flagged: false,
  archived: false,
  deleted: false,
  deleted_at: null,
  draft: false,
  alert: false,
  public: false,
  snoozed: false,
  snoozed_until: null,
  scheduled: false,
  send_at: null,
  received_at: '2026-01-01T00:00:00Z',
  size: 1,
  attachments: [],
});

const reply = (json: unknown): CallReply => ({ status: 200, json, retryAfter: null });
const query = (data: unknown) => {
  const told: number[] = [];
  const client = createClient(
    { mail },
    async () => reply({ success: true, data, count: 4 }),
    (_, rows) => told.push(rows),
  );
  return { told, answer: client.mail.query({}) };
};

test('one bad mail becomes one unreadable row with its id, and the list stands', async () => {
  const bad = { ...good('2'), tags: 7, attachments: [{ id: 1 }], alert: true, draft: 'x' };
  const { answer, told } = query([good('1'), bad, good('3')]);
  const { data } = await answer;
  expect(data.map(({ id }) => id)).toEqual(['1', '2', '3']);
  expect(data.map(isUnreadableMail)).toEqual([false, true, false]);
  expect(data[1]).toMatchObject({
    received_at: '2026-01-01T00:00:00.000Z',
    alert: false,
    draft: false,
    headers: '',
  });
  expect(told).toEqual([1]);
});

test('rows that are no mail at all still leave one row each', async () => {
  const { data } = await query([null, 'x', { id: '<script>' }, good('4')]).answer;
  expect(data.map(isUnreadableMail)).toEqual([true, true, true, false]);
  expect(new Set(data.map(({ id }) => id)).size).toBe(4);
});

test('a bad row of another list is dropped and counted; what is no row fails the answer as before', () => {
  const schema = z.object({
    data: z.object({ people: rowsOf(z.object({ name: z.string() })), total: z.number() }),
  });
  const people = [{ name: 'a' }, { name: 1 }, { name: 'b' }];
  expect(parseAnswer(schema, { data: { people, total: 3 } })).toEqual({
    data: { data: { people: [{ name: 'a' }, { name: 'b' }], total: 3 } },
    badRows: 1,
  });
  expect(parseAnswer(schema, { data: { people, total: 'x' } })).toHaveProperty('error');
  expect(parseAnswer(schema, { data: { people: 'x', total: 3 } })).toHaveProperty('error');
});

test('keys that are answered in the order asked are never shortened', () => {
  const log = { head: null, proofs: [] };
  expect(parseAnswer(mail.keys.output, { data: [{ nothing: true }], log })).toHaveProperty('error');
});

test('a mail that does not parse is an unreadable one under its id, and no answer is none', async () => {
  const one = (data: unknown) =>
    createClient({ mail }, async () => reply({ success: true, data })).mail.one({ id: '2' });
  const { data } = await one({ ...good('2'), tags: 7 });
  expect([data.id, isUnreadableMail(data)]).toEqual(['2', true]);
  expect((await one(good('2'))).data).toEqual(good('2'));
  await expect(one(null)).rejects.toThrow('Failed to connect');
});
