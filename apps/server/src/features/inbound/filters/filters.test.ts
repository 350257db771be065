import type { CustomRule, Email, Rule } from '@keyfold/contract';
import { deliver, type SmtpClient } from '@keyfold/testing/smtp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { codeOf } from '../../../../tests/harness/codes.ts';
import type { TestDns } from '../../../../tests/harness/dns.ts';
import { readCounters } from '../../../../tests/harness/mailbox.ts';
import { greetSmtp, startSendersDns } from '../../../../tests/harness/senders.ts';
import { registerTestUser, type TestUser } from '../../../../tests/harness/users.ts';
import { createDns } from '../../../adapters/dns.ts';
import { DELETED_MAIL_KEPT_MS } from '../../../base/limits.ts';
import { turnFiltersOn } from './jobs.ts';

let app: TestApp;
let dns: TestDns;
let smtp: SmtpClient;
let ann: TestUser;
let bob: TestUser;

beforeAll(async () => {
  dns = await startSendersDns({
    'lax.example': { TXT: ['v=spf1 -all'] },
    'soft.example': { TXT: ['v=spf1 ~all'] },
    'quarantined.example': { TXT: ['v=spf1 -all'] },
    '_dmarc.quarantined.example': { TXT: ['v=DMARC1; p=quarantine'] },
  });
  app = await startTestApp({ roles: ['http', 'smtp'], dns: createDns([dns.server]) });
  smtp = await greetSmtp(app.app.smtpPort);
});
beforeEach(async () => {
  ann = await registerTestUser(app);
  bob = await registerTestUser(app);
});
afterAll(async () => {
  const { kept, recounted } = await readCounters(app.db);
  expect(kept).toEqual(recounted);
  smtp.destroy();
  await app.close();
  await dns.close();
});

type OutgoingMessage = { from?: string; envelope?: string; to?: TestUser[]; subject?: string; text?: string };
let sent = 0;
async function send({
  from = 'Zoë <zoe@good.example>',
  to = [ann],
  subject = 'Hello',
  text = 'Text',
  ...more
}: OutgoingMessage = {}) {
  const envelope = more.envelope ?? /[^<\s]+@[^>\s]+/.exec(from)?.[0] ?? '';
  const raw = [
    `From: ${from}`,
    `To: ${to.map(user => user.email).join(', ')}`,
    `Subject: ${subject}`,
    `Message-ID: <filter-${++sent}@out.example>`,
    '',
    text,
    '',
  ].join('\r\n');
  const reply = await deliver(smtp, {
    from: envelope,
    to: to.map(user => user.email),
    raw: Buffer.from(raw),
  });
  expect(reply).toMatch(/^250/);
}
async function newest({ client }: TestUser): Promise<Email> {
  const [mail] = (await client.mail.query({ count: 1, view: 'summary' })).data;
  if (mail === undefined) throw new Error('No mail came');
  return mail;
}
async function isFlagged({
  of = ann,
  ...message
}: OutgoingMessage & { of?: TestUser } = {}): Promise<boolean> {
  await send(message);
  return (await newest(of)).flagged;
}
const TEST_LINE = 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X';
/** Restores the state from before every account got settings. */
const forgetSettings = ({ email }: TestUser) =>
  app.db
    .deleteFrom('mail_filters')
    .where('user_id', 'in', app.db.selectFrom('addresses').select('user_id').where('address', '=', email))
    .execute();

const ACTIONS = { tags: [], read: false, star: false, archive: false, flag: false, delete: false };
const rule = (value: string, actions: Partial<Rule['actions']>, more: Partial<Rule> = {}): Rule => ({
  name: value,
  enabled: true,
  match: 'all',
  conditions: [{ field: 'any', test: 'contains', value }],
  stop: false,
  ...more,
  actions: { ...ACTIONS, ...actions },
});
const saveRules = (user: TestUser, rules: Rule[]) => user.client.rules.save({ rules });

type Settings = Parameters<TestUser['client']['security']['save_settings']>[0];
const saveSettings = (
  settings: Partial<Settings> & { sensitivity?: 'low' | 'medium' | 'high'; words?: string[] },
) =>
  ann.client.security.save_settings({
    spam_filters: {
      enabled: true,
      sensitivity: settings.sensitivity ?? 'medium',
      custom_rules: settings.words ?? [],
    },
    whitelist: [],
    blacklist: [],
    ...settings,
  });

test('rules belong to one user, keep their order and are stored sealed', async () => {
  expect((await ann.client.rules.list({})).data).toEqual([]);
  const rules = [
    rule('Geheimwort', { star: true }),
    rule('zwei', { tags: ['x'] }, { match: 'any', enabled: false }),
  ];
  await saveRules(ann, rules);
  expect((await ann.client.rules.list({})).data).toEqual(rules);
  expect((await bob.client.rules.list({})).data).toEqual([]);
  const rows = await app.db.selectFrom('mail_filters').selectAll().execute();
  expect(rows.length).toBeGreaterThan(0);
  for (const { rules_sealed } of rows) expect(rules_sealed?.toString('latin1') ?? '').not.toContain('Geheim');
});

test('a rule acts on unencrypted messages on arrival, only for its owner', async () => {
  await ann.client.tags.save({ tag: { name: 'Bills', color: 'mint' } });
  await saveRules(ann, [
    rule('ZOE', { tags: ['bills', 'never made'], star: true }),
    rule(
      'rechnung',
      { read: true, archive: true },
      { conditions: [{ field: 'subject', test: 'begins', value: 'ihre rechnung' }] },
    ),
    rule('nobody', { delete: true }),
  ]);
  const { last_check } = await ann.client.mail.check_new({});
  await send({ to: [ann, bob], subject: '=?utf-8?q?Ihre_R=C3=A9chnung?= 7' });
  expect(await newest(ann)).toMatchObject({
    tags: ['Bills'],
    starred: true,
    read: true,
    archived: true,
    deleted: false,
  });
  expect(await newest(bob)).toMatchObject({ tags: [], starred: false, read: false, archived: false });
  expect((await ann.client.mail.counts({})).data.tags.Bills).toMatchObject({ total: 1, unread: 0 });
  // A message that a rule has already filed is not new.
  expect(await ann.client.mail.check_new({ last_check })).toMatchObject({ has_new_emails: false });
  expect((await bob.client.mail.check_new({ last_check })).new_email_count).toBe(1);
  await ann.client.tags.rename({ name: 'bills', tag: { name: 'Invoices', color: 'blue' } });
  await send();
  expect(await newest(ann)).toMatchObject({ tags: ['Invoices'], starred: true });
});

test('a deleting rule keeps the message for 30 days, and a flagging one moves it to spam', async () => {
  await saveRules(ann, [rule('weg', { delete: true }), rule('spam', { flag: true })]);
  await send({ subject: 'weg damit' });
  const mail = await newest(ann);
  expect(mail).toMatchObject({ deleted: true, flagged: false });
  expect(Date.parse(mail.deleted_at ?? '') - Date.parse(mail.received_at)).toBe(DELETED_MAIL_KEPT_MS);
  expect(await isFlagged({ subject: 'Spam' })).toBe(true);
  expect((await ann.client.mail.check_new({ last_check: new Date(0).toISOString() })).new_email_count).toBe(
    0,
  );
});

test('rules that cannot be decrypted lose no message', async () => {
  await saveRules(ann, [rule('hello', { delete: true })]);
  await app.db
    .updateTable('mail_filters')
    .set({ rules_sealed: Buffer.from('damaged'), version: 99 })
    .where('rules_sealed', 'is not', null)
    .execute();
  await send();
  expect(await newest(ann)).toMatchObject({ deleted: false, flagged: false });
});

test('the filter is on for a new account, and without stored settings the endpoint answers 404', async () => {
  const standard = { spam_filters: { enabled: true, sensitivity: 'medium', custom_rules: [] } };
  expect((await ann.client.security.settings({})).data).toMatchObject(standard);
  await forgetSettings(bob);
  expect(await codeOf(bob.client.security.settings({}))).toBe('404 not_found');
  // The filter applies even without stored settings. The job stores the defaults and notifies the
  // user, once.
  expect(await isFlagged({ to: [bob], of: bob, from: 'x@lax.example' })).toBe(true);
  expect(await turnFiltersOn(app.app.deps)).toBe(1);
  expect(await turnFiltersOn(app.app.deps)).toBe(0);
  expect((await bob.client.security.settings({})).data).toMatchObject(standard);
  expect(await newest(bob)).toMatchObject({ alert: true, flagged: false });
});

test('settings that only a block stored do not keep the old default of off; an explicit choice stays', async () => {
  const { id } = await app.db
    .selectFrom('addresses')
    .select('user_id as id')
    .where('address', '=', ann.email)
    .executeTakeFirstOrThrow();
  const spam_filters = { enabled: false, sensitivity: 'medium' as const, custom_rules: [] };
  const settings = { spam_filters, whitelist: [], blacklist: ['rude@good.example'] };
  const sealed = app.app.deps.masterKey.seal('security settings', id, Buffer.from(JSON.stringify(settings)));
  await app.db
    .updateTable('mail_filters')
    .set({ settings_sealed: sealed, version: 7 })
    .where('user_id', '=', id)
    .execute();
  expect((await ann.client.security.settings({})).data.spam_filters.enabled).toBe(true);
  expect(await isFlagged({ from: 'x@lax.example' })).toBe(true);
  await ann.client.security.save_settings(settings);
  expect((await ann.client.security.settings({})).data.spam_filters.enabled).toBe(false);
  await ann.client.security.block({ sender: 'other@good.example', value: true });
  expect((await ann.client.security.settings({})).data.spam_filters.enabled).toBe(false);
});

test('the test line and mail that its domain disowns go to Spam before settings are opened', async () => {
  expect(await isFlagged()).toBe(false);
  expect(await isFlagged({ text: TEST_LINE })).toBe(true);
  expect(await isFlagged({ from: 'boss@strict.example' })).toBe(true);
  expect(await isFlagged({ from: 'boss@quarantined.example' })).toBe(true);
  expect((await ann.client.mail.check_new({ last_check: new Date(0).toISOString() })).new_email_count).toBe(
    1,
  );
});

test('no setting admits mail that its own domain asks to reject', async () => {
  await saveSettings({
    spam_filters: {
      enabled: false,
      sensitivity: 'low',
      custom_rules: [{ field: 'subject', test: 'contains', value: 'Hello', action: 'allow' }],
    },
    whitelist: ['boss@strict.example', '@strict.example'],
  });
  expect(await isFlagged({ from: 'boss@strict.example' })).toBe(true);
  await saveSettings({
    spam_filters: {
      enabled: true,
      sensitivity: 'low',
      custom_rules: [{ field: 'subject', test: 'contains', value: 'Hello', action: 'allow' }],
    },
  });
  expect(await isFlagged({ from: 'boss@strict.example' })).toBe(true);
  // The reader's own rule overrides a quarantine policy, which is weaker than reject.
  expect(await isFlagged({ from: 'boss@quarantined.example' })).toBe(false);
});

test('settings are returned in normalized form', async () => {
  const { data } = await saveSettings({
    words: ['Casino', '', 'Casino'],
    whitelist: [' Friend@Good.Example', 'friend@good.example'],
    blacklist: ['@Bücher.example'],
  });
  expect(data).toMatchObject({
    spam_filters: { enabled: true, sensitivity: 'medium', custom_rules: ['Casino'] },
    whitelist: ['friend@good.example'],
    blacklist: ['@xn--bcher-kva.example'],
  });
  expect((await ann.client.security.settings({})).data).toEqual(data);
  for (const wrong of ['@', 'nobody', 'a b@c.example', '@a@b.example'])
    expect(await codeOf(saveSettings({ blacklist: [wrong] }))).toBe('400 malformed');
});

test('mail from a blocked sender is flagged until the block is removed', async () => {
  const { data } = await ann.client.security.block({ sender: 'ZOE@good.example', value: true });
  expect(data).toMatchObject({ spam_filters: { enabled: true }, blacklist: ['zoe@good.example'] });
  expect(await isFlagged()).toBe(true);
  expect(await isFlagged({ from: 'else@good.example' })).toBe(false);
  // The envelope sender counts too: it may be a list or a robot that sends on behalf of the author.
  expect(await isFlagged({ from: 'list@lax.example', envelope: 'zoe@good.example' })).toBe(true);
  await send({ to: [bob] });
  expect((await newest(bob)).flagged).toBe(false);
  await ann.client.security.block({ sender: '@good.example', value: true });
  expect(await isFlagged({ from: 'else@good.example' })).toBe(true);
  for (const sender of ['@good.example', 'zoe@good.example'])
    await ann.client.security.block({ sender, value: false });
  expect(await isFlagged()).toBe(false);
  expect(await codeOf(ann.client.security.block({ sender: 'nobody', value: true }))).toBe('400 malformed');
});

test('an allowed sender is not flagged when authenticated, and scored normally otherwise', async () => {
  await saveSettings({
    words: ['offer'],
    whitelist: ['zoe@good.example', '@strict.example', '@lax.example'],
    blacklist: ['@good.example'],
  });
  expect(await isFlagged({ subject: 'An offer' })).toBe(false);
  expect(await isFlagged({ from: 'else@good.example' })).toBe(true);
  expect(await isFlagged({ from: 'boss@strict.example' })).toBe(true);
  // Nothing authenticates lax.example, so a rule that allows its name does not apply.
  expect(await isFlagged({ from: 'x@lax.example', subject: 'An offer' })).toBe(true);
});

test('custom rules flag or allow, the first match decides, and they are returned unchanged', async () => {
  const rules: CustomRule[] = [
    { field: 'from', test: 'is', value: 'x@lax.example', action: 'allow' },
    { field: 'subject', test: 'begins', value: 'win', action: 'flag' },
    'casino',
  ];
  const { data } = await saveSettings({
    spam_filters: { enabled: true, sensitivity: 'medium', custom_rules: [...rules, 'casino'] },
  });
  expect(data.spam_filters.custom_rules).toEqual(rules);
  expect(await isFlagged({ from: 'x@lax.example', subject: 'Win' })).toBe(false);
  expect(await isFlagged({ from: 'y@lax.example' })).toBe(true);
  expect(await isFlagged({ subject: 'WIN big' })).toBe(true);
  expect(await isFlagged({ subject: 'You win' })).toBe(false);
  expect(await isFlagged({ subject: 'A Casino' })).toBe(true);
  const save = (custom_rules: unknown) =>
    codeOf(
      saveSettings({
        spam_filters: { enabled: true, sensitivity: 'low', custom_rules } as Settings['spam_filters'],
      }),
    );
  expect(await save([{ field: 'body', test: 'contains', value: 'x' }])).toBe('400 malformed');
  expect(await save([{ field: 'from', test: 'matches', value: '(a+)+' }])).toBe('400 malformed');
  expect(await save([{ field: 'from', test: 'is', value: 'x', action: 'delete' }])).toBe('400 malformed');
  expect(await save(Array.from({ length: 201 }, (_, index) => `word ${index}`))).toBe('400 malformed');
});

test('each sensitivity has its own criteria, and a disabled filter flags only rejected mail', async () => {
  const doubt = async (sensitivity: 'low' | 'medium' | 'high', isOn = true) => {
    await saveSettings({ spam_filters: { enabled: isOn, sensitivity, custom_rules: ['Gewinn'] } });
    return {
      good: await isFlagged(),
      word: await isFlagged({ subject: 'Ihr GEWÍNN' }),
      strict: await isFlagged({ from: 'boss@strict.example' }),
      lax: await isFlagged({ from: 'x@lax.example' }),
      soft: await isFlagged({ from: 'x@soft.example' }),
      twoAuthors: await isFlagged({ from: 'a@good.example, b@good.example', envelope: 'a@good.example' }),
    };
  };
  const off = { good: false, word: false, strict: true, lax: false, soft: false, twoAuthors: false };
  expect(await doubt('high', false)).toEqual(off);
  expect(await doubt('low')).toEqual({ ...off, word: true, strict: true });
  expect(await doubt('medium')).toEqual({ ...off, word: true, strict: true, lax: true });
  expect(await doubt('high')).toEqual({
    good: false,
    word: true,
    strict: true,
    lax: true,
    soft: true,
    twoAuthors: true,
  });
});
