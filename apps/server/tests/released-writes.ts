/**
 * Writes of a release, as sent to PostgreSQL: statements with their values, in order, one per line.
 * They are recorded once per release and replayed on the schema of the next one, which must accept
 * them (docs/scaling.md, Upgrades).
 */
import { randomBytes } from 'node:crypto';
import type { TestApp } from './harness/app.ts';
import { sealImported } from './harness/imported.ts';
import { sealTestMessage } from './harness/sending.ts';
import { registerTestUser, type TestUser } from './harness/users.ts';
import { recordStatements, type Statement } from './recorded-statements.ts';

export type Write = Statement;

const WRITES = /^\s*(insert|update|delete|with)\b/i;

function pack(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return { bytes: value.toString('base64') };
  if (value instanceof Date) return { time: value.toISOString() };
  if (Array.isArray(value)) return value.map(pack);
  return typeof value === 'bigint' ? value.toString() : (value ?? null);
}

function unpack(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unpack);
  if (typeof value !== 'object' || value === null) return value;
  if ('bytes' in value) return Buffer.from(String(value.bytes), 'base64');
  return 'time' in value ? new Date(String(value.time)) : value;
}

export const toLine = ({ text, values }: Write): string =>
  JSON.stringify([text.replace(/\s+/g, ' ').trim(), values.map(pack)]);

export function fromLine(line: string): Write {
  const [text, values] = JSON.parse(line) as [string, unknown[]];
  return { text, values: values.map(unpack) };
}

/**
 * Returns every write of this process while `work` runs, except those to the scheduler's own
 * tables.
 */
export const recordWrites = async (work: () => Promise<void>): Promise<Write[]> =>
  (await recordStatements(work)).filter(({ text }) => WRITES.test(text) && !text.includes('pgboss'));

async function keep({ client, email, identity }: TestUser): Promise<void> {
  await client.tags.save({ tag: { name: 'Work', color: 'blue' } });
  await client.records.save({
    kind: 'setting',
    id: 'one',
    version: 0,
    sealed: randomBytes(40).toString('base64'),
    key_used: identity.key_id,
  });
  const made = await client.addresses.create({ address: `also.${email}` });
  await client.addresses.change({ address: made.data.address, label: 'Also', is_default: true });
  await client.addresses.remove({ address: made.data.address });
  await client.domains.register({ domain: 'released.example' });
  await client.organization.create({ name: 'Released' });
  await client.otp.generate({});
}

/** Simulates a day of two users, which covers most writes of the service. */
export async function liveADay(app: TestApp): Promise<void> {
  const ann = await registerTestUser(app, { keepSignedIn: true });
  const ben = await registerTestUser(app);
  await keep(ann);
  const { client } = ann;
  const code = await ben.client.contacts.generate({});
  await client.contacts.add({ code: code.data.code });
  const message = await sealTestMessage(ann, { to: [ben, 'friend@outside.test'] });
  await client.sending.send_private(message, { headers: { 'idempotency-key': 'one' } });
  const held = await client.sending.send_private({ ...message, undo_seconds: 30 });
  await client.sending.unsend({ id: held.data.id });
  await client.sending.send_private({ ...message, undo_seconds: 30 });
  const messages = [await sealImported(ann, 'one@outside.test'), await sealImported(ann, 'two@outside.test')];
  await client.imports.seal({ import_id: 'a', messages: messages.map(one => ({ ...one, tags: ['Work'] })) });
  const { headers: _headers, received_at: _at, flags: _flags, ...draft } = messages[0] ?? {};
  await client.sending.draft({
    used_address: ann.email,
    ...(draft as Omit<(typeof messages)[number], 'headers' | 'received_at' | 'flags'>),
  });
  const ids = (await client.mail.query({ view: 'summary' })).data
    .filter(({ scheduled, draft: isDraft }) => !scheduled && !isDraft)
    .map(({ id }) => id);
  await client.mail.read({ email_id: ids, value: true });
  await client.mail.star({ email_id: ids, value: true });
  await client.mail.archive({ email_id: ids, value: true });
  await client.mail.remove({ email_id: ids });
  await client.mail.restore({ email_id: ids });
  await client.mail.remove({ email_id: ids.slice(0, 1) });
  await client.mail.remove({ email_id: ids.slice(0, 1) });
  await client.auth.logout({});
  await ben.client.sign_in.login({ email: ben.email, password: ben.loginHash, keep_signed_in: true });
}
