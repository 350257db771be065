import { expect, test } from 'vitest';
import { z } from 'zod';
import { domainsCalls } from '../calls/domains.ts';
import { mailCalls } from '../calls/mail.ts';
import { recordsCalls } from '../calls/records.ts';
import { rulesCalls } from '../calls/rules.ts';
import { searchCalls } from '../calls/search.ts';
import { secondFactorCalls } from '../calls/second-factor.ts';
import { securityCalls } from '../calls/security.ts';
import { isUnreadableMail, UNREADABLE_ENTRY } from '../calls/unreadable.ts';
import { type CallReply, createClient } from './client.ts';
import { leftOutOf, parseAnswer, rowsOf } from './rows.ts';

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
function query(data: unknown) {
  const told: number[] = [];
  const client = createClient(
    { mail: mailCalls },
    async () => reply({ success: true, data, count: 4 }),
    (_, rows) => told.push(rows),
  );
  return { told, answer: client.mail.query({}) };
}

test('one invalid message becomes an unreadable row with its id, and the rest of the list is kept', async () => {
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

test('rows that are not messages still become one row each', async () => {
  const { data } = await query([null, 'x', { id: '<script>' }, good('4')]).answer;
  expect(data.map(isUnreadableMail)).toEqual([true, true, true, false]);
  expect(new Set(data.map(({ id }) => id)).size).toBe(4);
});

test('an invalid row of another list is dropped and counted; other invalid fields still fail the answer', () => {
  const schema = z.object({
    data: z.object({ people: rowsOf(z.object({ name: z.string() })), total: z.number() }),
  });
  const people = [{ name: 'a' }, { name: 1 }, { name: 'b' }];
  expect(parseAnswer(schema, { data: { people, total: 3 } })).toEqual({
    data: { data: { people: [{ name: 'a' }, { name: 'b' }], total: 3 } },
    badRows: 1,
    leftOutRows: 1,
  });
  expect(parseAnswer(schema, { data: { people, total: 'x' } })).toHaveProperty('error');
  expect(parseAnswer(schema, { data: { people: 'x', total: 3 } })).toHaveProperty('error');
});

test('keys answered in the requested order are never shortened', () => {
  const log = { head: null, proofs: [] };
  expect(parseAnswer(mailCalls.keys.output, { data: [{ nothing: true }], log })).toHaveProperty('error');
});

test('a message that does not parse is unreadable under its id, and an empty answer is an error', async () => {
  const one = (data: unknown) =>
    createClient({ mail: mailCalls }, async () => reply({ success: true, data })).mail.one({ id: '2' });
  const { data } = await one({ ...good('2'), tags: 7 });
  expect([data.id, isUnreadableMail(data)]).toEqual(['2', true]);
  expect((await one(good('2'))).data).toEqual(good('2'));
  await expect(one(null)).rejects.toThrow('Failed to connect');
});

function answer(output: z.ZodType, json: unknown) {
  const parsed = parseAnswer(output, json);
  if ('error' in parsed) throw parsed.error;
  return parsed as { data: { data: unknown }; badRows: number; leftOutRows: number };
}
const at = '2026-01-01T00:00:00.000Z';
const goodRule = {
  name: 'Bills',
  conditions: [{ field: 'from', test: 'is', value: 'a@b.test' }],
  actions: { star: true },
};
const goodRecord = { id: 'a', version: 1, sealed: 'x', key_used: 'k', updated_at: at };

test.each<[string, z.ZodType, unknown, unknown]>([
  [
    'segments of the search index',
    searchCalls.segments.output,
    { id: 'a', size: 1, head: 'h', created_at: at },
    { id: 7 },
  ],
  ['records', recordsCalls.list.output, goodRecord, { ...goodRecord, version: 'new' }],
  ['rules', rulesCalls.list.output, goodRule, { ...goodRule, match: 'most' }],
])('drops invalid %s, and the list says how many are missing', (_, output, good_, bad) => {
  const { data, badRows, leftOutRows } = answer(output, { success: true, data: [good_, bad, good_, bad] });
  expect(data.data).toHaveLength(2);
  expect([badRows, leftOutRows, leftOutOf(data.data as unknown[])]).toEqual([2, 2, 2]);
  expect(leftOutOf((answer(output, { success: true, data: [good_] }).data.data as unknown[]) ?? [])).toBe(0);
});

test('an invalid DNS record of a domain removes neither the domain nor its other records', () => {
  const record = {
    purpose: 'dkim',
    type: 'TXT',
    name: 'n',
    host: 'h',
    value: 'v',
    found: [],
    ok: true,
    state: 'found',
    is_required: true,
  };
  const domain = {
    domain: 'a.test',
    verified: true,
    primary: false,
    main: false,
    catchall: '',
    healthy: null,
    checked_at: null,
    verified_at: null,
    missing_since: null,
    addresses: [],
    records: [record, { ...record, type: 'HTTPS' }],
  };
  const { data, leftOutRows } = answer(domainsCalls.list.output, {
    success: true,
    data: [{ ...domain, domain: 7, records: [record] }, domain, { ...domain, records: [record] }],
  });
  const [first, second] = data.data as { domain: string; records: unknown[] }[];
  expect([first?.records.length, second?.records.length]).toEqual([1, 1]);
  expect([leftOutRows, leftOutOf(data.data as unknown[]), leftOutOf(first?.records ?? [])]).toEqual([
    2, 1, 1,
  ]);
});

test('invalid senders and rules of the spam filter are dropped from their own list only', () => {
  const { data } = answer(securityCalls.settings.output, {
    success: true,
    data: {
      spam_filters: { enabled: true, sensitivity: 'low', custom_rules: ['offer', { field: 'body' }] },
      whitelist: ['a@b.test', 'x', 7],
      blacklist: ['@c.test'],
      updated_at: null,
    },
  });
  const settings = data.data as {
    spam_filters: { custom_rules: unknown[] };
    whitelist: unknown[];
    blacklist: unknown[];
  };
  expect(settings.whitelist).toEqual(['a@b.test']);
  expect([settings.spam_filters.custom_rules, settings.whitelist, settings.blacklist].map(leftOutOf)).toEqual(
    [1, 2, 0],
  );
});

test('an unreadable passkey is still listed, because it opens the account', () => {
  const { data, leftOutRows } = answer(secondFactorCalls.status.output, {
    success: true,
    data: {
      totp_active: false,
      totp_since: null,
      passkeys: [{ id: 'k1', name: 7 }],
      has_passkeys: true,
      recovery_codes_left: 3,
    },
  });
  expect((data.data as { passkeys: unknown[] }).passkeys).toMatchObject([
    { id: 'k1', name: UNREADABLE_ENTRY },
  ]);
  expect(leftOutRows).toBe(0);
});

test('the list of all ids keeps one with an unreadable time and drops invalid ids', () => {
  const parsed = answer(mailCalls.ids.output, { data: [['a', at], ['b', 7], [7, at], 'x'], count: 4 });
  const ids = (parsed.data as unknown as { data: [string, string][] }).data;
  expect(ids.map(([id]) => id)).toEqual(['a', 'b']);
  expect(leftOutOf(ids)).toBe(2);
});
