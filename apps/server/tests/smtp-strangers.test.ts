/** Limits per network, replies to unknown senders, and greylisting when enabled. */
import { connectSmtp, deliver, type SmtpClient } from '@keyfold/testing/smtp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readMetrics } from '../src/base/metrics.ts';
import { createGreylist } from '../src/features/inbound/ingest/index.ts';
import { createArrivalLimits } from '../src/smtp/inbound/arrival-limits.ts';
import { createTestClock } from './harness/clock.ts';
import { addReader, type InboundTest, startInboundTest } from './harness/inbound.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
const clock = createTestClock();
/** No address of this machine is a gateway here. */
const NO_GATEWAYS = { KEYFOLD_MAIL_GATEWAYS: '192.0.2.1' };

let grey: InboundTest;
let counted: InboundTest;
/** Default limits. */
let usual: InboundTest;

beforeAll(async () => {
  [grey, counted, usual] = await Promise.all([
    startInboundTest({ deps: { clock }, env: { ...NO_GATEWAYS, KEYFOLD_GREYLISTING: 'true' } }),
    startInboundTest({ env: { ...NO_GATEWAYS, KEYFOLD_ARRIVALS_PER_MINUTE: '3' } }),
    startInboundTest({ env: NO_GATEWAYS }),
  ]);
  for (const { deps } of [grey, counted, usual]) await addReader(deps.db, ['bob@keyfold.test']);
});
afterAll(async () => {
  await Promise.all([grey.close(), counted.close(), usual.close()]);
});

async function open({ smtp }: InboundTest, from?: string): Promise<SmtpClient> {
  const client = await connectSmtp(smtp.port, from);
  await client.reply();
  await client.command('EHLO sender.test');
  return client;
}

/** Returns the reply to one recipient of a message that is not sent afterwards. */
async function ask(client: SmtpClient, sender: string, recipient = 'bob@keyfold.test'): Promise<string> {
  await client.command(`MAIL FROM:<${sender}>`);
  const answer = await client.command(`RCPT TO:<${recipient}>`);
  await client.command('RSET');
  return answer;
}

const COMES_BACK = /^451 4\.7\.1/;

test('an unknown sender is deferred for five minutes, and its network is known afterwards', async () => {
  const client = await open(grey, '127.0.5.1');
  expect(await ask(client, 'al@sender.test')).toMatch(COMES_BACK);
  clock.advance(5 * MINUTE_MS - 1);
  expect(await ask(client, 'al@sender.test')).toMatch(COMES_BACK);
  expect(await ask(client, 'other@sender.test')).toMatch(COMES_BACK);
  clock.advance(1);
  // A large sender retries from a neighboring address.
  const neighbor = await open(grey, '127.0.5.99');
  const mail = { from: 'al@sender.test', to: ['bob@keyfold.test'], raw: 'Subject: x\r\n\r\nhi\r\n' };
  expect(await deliver(neighbor, mail)).toMatch(/^250/);
  expect(await ask(client, 'anybody@sender.test')).toMatch(/^250/);
  for (let days = 0; days < 100; days += 20) {
    clock.advance(20 * DAY_MS);
    expect(await ask(client, 'anybody@sender.test')).toMatch(/^250/);
  }
  clock.advance(36 * DAY_MS);
  expect(await ask(client, 'anybody@sender.test')).toMatch(COMES_BACK);
  client.destroy();
  neighbor.destroy();
});

test('a late retry or one from elsewhere is deferred again, and unknown recipients are refused at once', async () => {
  const client = await open(grey, '127.0.6.1');
  expect(await ask(client, 'al@sender.test')).toMatch(COMES_BACK);
  expect(await ask(client, 'al@sender.test', 'nobody@keyfold.test')).toMatch(/^550 5\.1\.1/);
  clock.advance(3 * DAY_MS);
  expect(await ask(client, 'al@sender.test')).toMatch(COMES_BACK);
  clock.advance(5 * MINUTE_MS);
  const elsewhere = await open(grey, '127.0.7.1');
  expect(await ask(elsewhere, 'al@sender.test')).toMatch(COMES_BACK);
  client.destroy();
  elsewhere.destroy();
});

test('invented sender names cannot create unlimited rows or delay others', async () => {
  const countRows = async () => (await grey.deps.db.selectFrom('greylist').select('digest').execute()).length;
  const client = await open(grey, '127.0.8.1');
  const before = await countRows();
  // Other senders of the same domain and other tags of the same recipient add no rows.
  for (const name of ['al', 'bo', 'cy']) {
    for (const tag of ['', '+a', '+b'])
      expect(await ask(client, `${name}@sender.test`, `Bob${tag}@keyfold.test`)).toMatch(COMES_BACK);
  }
  expect(await countRows()).toBe(before + 1);
  const neighbor = await open(grey, '127.0.8.200');
  for (let count = 0; count < 150; count++)
    expect(await ask(count % 2 ? client : neighbor, `al@s${count}.test`)).toMatch(COMES_BACK);
  expect(await countRows()).toBe(before + 100);
  const other = await open(grey, '127.0.9.1');
  expect(await ask(other, 'al@sender.test')).toMatch(COMES_BACK);
  expect(await countRows()).toBe(before + 101);
  // An existing row admits its sender, regardless of rows that were refused.
  clock.advance(5 * MINUTE_MS);
  expect(await ask(client, 'al@s149.test')).toMatch(COMES_BACK);
  expect(await ask(client, 'dee@sender.test', 'bob+c@keyfold.test')).toMatch(/^250/);
  for (const one of [client, neighbor, other]) one.destroy();
});

test('machines share the count of a network', async () => {
  const config = { arrivalsPerMinute: 100, mailGateways: [] };
  const [one, other] = [1, 2].map(() => createArrivalLimits({ ...usual.deps, clock, config }));
  for (let count = 0; count < 100; count++) expect(one?.mayBring('192.0.2.7')).toBe(true);
  expect(other?.mayBring('192.0.2.7')).toBe(true);
  // Synchronized within about a second, without delaying any request.
  await expect.poll(() => other?.mayBring('192.0.2.7'), { timeout: 10_000, interval: 300 }).toBe(false);
  expect(other?.mayBring('192.0.2.8')).toBe(true);
});

test('the networks of one IPv6 site share one limit on new rows', async () => {
  const { isWelcome } = createGreylist(grey.deps);
  const countRows = async () => (await grey.deps.db.selectFrom('greylist').select('digest').execute()).length;
  const before = await countRows();
  const stranger = { senderDomain: 'sender.test', ownerId: 'somebody' };
  for (let count = 0; count < 120; count++)
    expect(await isWelcome({ network: `2001:db8:1:${count}`, ...stranger })).toBe(false);
  expect(await countRows()).toBe(before + 100);
  expect(await isWelcome({ network: '2001:db8:2:0', ...stranger })).toBe(false);
  expect(await countRows()).toBe(before + 101);
});

test('new rows are limited in total, and senders over that limit are accepted', async () => {
  // Nodes share their counts, so the rows above would count here too.
  clock.advance(60 * MINUTE_MS);
  const { isWelcome } = createGreylist(grey.deps, 30);
  const countRows = async () => (await grey.deps.db.selectFrom('greylist').select('digest').execute()).length;
  const before = await countRows();
  const letIn = async () =>
    Number(/^keyfold_greylist_full_total (\d+)$/m.exec((await readMetrics()).text)?.[1] ?? 0);
  const letInBefore = await letIn();
  const ask = (site: number) =>
    isWelcome({ network: `10.1.${site}.1`, senderDomain: 'sender.test', ownerId: 'somebody' });
  for (let site = 0; site < 100; site++) expect(await ask(site)).toBe(site >= 30);
  expect(await countRows()).toBe(before + 30);
  expect(await letIn()).toBe(letInBefore + 70);
  // Deferred senders remain deferred.
  expect(await ask(0)).toBe(false);
});

test('greylist rows contain no readable names', async () => {
  const rows = await grey.deps.db.selectFrom('greylist').select('digest').execute();
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.every(({ digest }) => digest.length === 32)).toBe(true);
});

test('messages per minute are limited for each network, and other networks are not affected', async () => {
  const first = await open(counted, '127.0.5.1');
  const mail = { from: 'al@sender.test', to: ['bob@keyfold.test'], raw: 'Subject: x\r\n\r\nhi\r\n' };
  for (let count = 0; count < 3; count++) expect(await deliver(first, mail)).toMatch(/^250/);
  const again = await open(counted, '127.0.5.1');
  expect(await deliver(again, mail)).toMatch(/^450 4\.7\.1/);
  const other = await open(counted, '127.0.5.2');
  expect(await deliver(other, mail)).toMatch(/^250/);
  for (const client of [first, again, other]) client.destroy();
});

test('configured gateways are exempt, and a network that guesses recipients is disconnected', () => {
  const limits = createArrivalLimits({
    ...usual.deps,
    config: { arrivalsPerMinute: 1, mailGateways: ['10.0.0.0/8', '2001:db8::1'] },
  });
  for (const ip of ['10.9.9.9', '2001:db8::1'])
    expect([limits.mayBring(ip), limits.mayBring(ip)]).toEqual([true, true]);
  // One IPv6 host has a /64.
  expect(limits.mayBring('2001:db8:0:1::1')).toBe(true);
  expect(limits.mayBring('2001:db8:0:1::2')).toBe(false);
  expect(limits.mayBring('2001:db8:0:2::1')).toBe(true);
  for (let count = 0; count < 500; count++) expect(limits.mayErr('192.0.2.9')).toBe(true);
  expect(limits.mayErr('192.0.2.9')).toBe(false);
  expect(limits.mayErr('192.0.2.8')).toBe(true);
});

test('a network out of errors gets unknown recipients deferred, and its other mail is accepted', async () => {
  const enter = () => open(usual, '127.0.5.9');
  for (let count = 0; count < 10; count++) {
    const guesser = await enter();
    await guesser.command('MAIL FROM:<>');
    for (let guess = 0; guess < 50; guess++)
      expect(await guesser.command(`RCPT TO:<n${count}.${guess}@keyfold.test>`)).toMatch(/^550 5\.1\.1/);
    guesser.destroy();
  }
  const honest = await enter();
  await honest.command('MAIL FROM:<al@sender.test>');
  expect(await honest.command('RCPT TO:<bbo@keyfold.test>')).toMatch(/^450 4\.7\.1/);
  expect(await honest.command('RCPT TO:<bob@keyfold.test>')).toMatch(/^250/);
  await honest.command('DATA');
  expect(await honest.command('Subject: many\r\n\r\nhi\r\n.')).toMatch(/^250/);
  honest.destroy();
  const guesser = await enter();
  await guesser.command('MAIL FROM:<>');
  for (const name of ['a', 'b', 'c'])
    expect(await guesser.command(`RCPT TO:<${name}@keyfold.test>`)).toMatch(/^450/);
  expect(await guesser.command('RCPT TO:<d@keyfold.test>')).toMatch(/^421 4\.7\.0/);
  guesser.destroy();
});
