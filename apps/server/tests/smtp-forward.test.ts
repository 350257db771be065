/**
 * Role mail that the operator forwards: what is sent, with which sender and ARC seal, what stays,
 * and how bounces are routed back. Over real SMTP on both sides.
 */
import { generateKeyPairSync } from 'node:crypto';
import { verifyArc } from '@keyfold/testing/arc-verifier';
import { verifyDkim } from '@keyfold/testing/dkim-verifier';
import { connectSmtp, deliver, type SmtpSink, startSmtpSink } from '@keyfold/testing/smtp';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createIngest, type Ingest } from '../src/features/inbound/ingest/index.ts';
import {
  dkimRecords,
  dropMail,
  enqueueOutbound,
  signalDelivery,
} from '../src/features/outbound/delivery/index.ts';
import { readAudit } from '../src/features/support/audit/index.ts';
import { authenticateMessage } from '../src/smtp/auth/authenticate.ts';
import { signMessage } from '../src/smtp/outbound/sign.ts';
import { startDelivery } from '../src/smtp/outbound/start.ts';
import { createTestClock, type TestClock } from './harness/clock.ts';
import {
  addReader,
  type InboundTest,
  readMails,
  startInboundTest,
  type TestReader,
} from './harness/inbound.ts';

const DAY_MS = 86_400_000;
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const authorKey = {
  domain: 'author.test',
  selector: 's1',
  privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
};
const authorRecord = `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;
const local = { TXT: ['v=spf1 ip4:127.0.0.1 -all'] };

let sink: SmtpSink;
let clock: TestClock;
let inbound: InboundTest;
let root: TestReader;
let bob: TestReader;
let ingest: Ingest;
let worker: { readonly close: () => Promise<void> };
let seen = 0;
const logged: Record<string, unknown>[] = [];

beforeAll(async () => {
  sink = await startSmtpSink();
  clock = createTestClock();
  inbound = await startInboundTest({
    zone: {
      'outside.test': { MX: [[10, 'mx.outside.test']] },
      'mx.outside.test': { A: ['127.0.0.1'] },
      'author.test': { ...local, MX: [[10, 'mx.outside.test']] },
      'relay.test': { ...local, MX: [[10, 'mx.outside.test']] },
      's1._domainkey.author.test': { TXT: [authorRecord] },
      '_dmarc.author.test': { TXT: ['v=DMARC1; p=reject'] },
      'keyfold.test': local,
    },
    deps: {
      clock,
      logger: pino({ level: 'info' }, { write: (line: string) => logged.push(JSON.parse(line)) }),
    },
    env: {
      KEYFOLD_FORWARD: 'abuse=ops@outside.test, Postmaster=ops@outside.test,dmarc=reports@outside.test',
      KEYFOLD_MX_PORT: String(sink.port),
    },
  });
  for (const { name, value } of await dkimRecords(inbound.deps)) inbound.dns.zone[name] = { TXT: [value] };
  root = await addReader(inbound.deps.db, ['root@keyfold.test'], { isSuper: true });
  bob = await addReader(inbound.deps.db, ['bob@keyfold.test', 'abuse@other.test']);
  ingest = createIngest(inbound.deps);
  worker = await startDelivery(inbound.deps, ingest, { pollMs: 60_000, closeMs: 500 });
});
afterAll(async () => {
  await worker.close();
  await ingest.close();
  await inbound.close();
  await sink.close();
});
afterEach(() => {
  sink.refuseRecipient = () => null;
});

let count = 0;
const outgoing = (from = 'al@author.test', fields = ''): Buffer =>
  Buffer.from(
    `${fields}From: Al <${from}>\r\nTo: abuse@keyfold.test\r\nSubject: Spam from you\r\nDate: Mon, 23 Nov 2026 10:00:00 +0000\r\nMessage-ID: <${++count}@author.test>\r\n\r\nIt was  me.\r\n`,
  );
async function signedMessage() {
  const raw = outgoing();
  return Buffer.concat([await signMessage(raw, authorKey), raw]);
}

async function bring(raw: Buffer | string, from: string, ...to: string[]): Promise<string> {
  const client = await connectSmtp(inbound.smtp.port);
  await client.reply();
  await client.command('EHLO mx.author.test');
  try {
    return await deliver(client, { from, to, raw });
  } finally {
    client.destroy();
  }
}
const queued = async () =>
  (await inbound.deps.db.selectFrom('outbound_recipients').select('message_id').execute()).length;
/** Returns what the other side received until the queue was empty. */
async function arrived() {
  await expect.poll(queued, { timeout: 15_000, interval: 20 }).toBe(0);
  const fresh = sink.messages.slice(seen);
  seen = sink.messages.length;
  return fresh;
}
const copiesOf = async (reader: TestReader) => (await readMails(inbound, reader)).map(({ raw }) => raw);
const findKey = (name: string) => inbound.dns.zone[name]?.TXT?.[0] ?? null;
/** Returns a newly rewritten sender. */
async function rewritten(from = 'al@author.test'): Promise<string> {
  await bring(await signedMessage(), from, 'abuse@keyfold.test');
  return (await arrived())[0]?.from ?? '';
}

describe('a forwarded message', () => {
  test('arrives with a rewritten sender, an ARC seal and unchanged content', async () => {
    const raw = await signedMessage();
    expect(
      await bring(raw, 'al@author.test', 'abuse@keyfold.test', 'postmaster', 'bob@keyfold.test'),
    ).toMatch(/^250/);
    const [mail, ...others] = await arrived();
    if (mail === undefined) throw new Error('Nothing was sent on');
    expect(others).toEqual([]);
    expect(mail.to).toEqual(['ops@outside.test']);
    // The log line of the received message names the forwarded ones.
    const accepted = logged.find(({ msg }) => msg === 'mail accepted');
    const findDelivered = () => logged.find(({ msg }) => msg === 'mail delivered')?.id;
    await expect.poll(findDelivered).toEqual(expect.any(String));
    expect(accepted?.queue).toEqual([findDelivered()]);
    expect(mail.from).toMatch(/^SRS0=[A-Z2-7]{8}=[A-Z2-7]{2}=author\.test=al@keyfold\.test$/);
    expect(mail.raw.subarray(-raw.length)).toEqual(raw);
    expect(mail.raw.toString()).toMatch(
      /^Delivered-To: abuse@keyfold\.test\r\nDelivered-To: postmaster@keyfold\.test\r\nReceived: from mx\.author\.test \(\[[^\]]+\]\)\r\n\tby mail\.keyfold\.test with ESMTP;\r\n\t[^\r]+\r\nARC-Seal: i=1;/,
    );
    expect(verifyArc(mail.raw, findKey)).toMatchObject({ isValid: true, sets: 1, domain: 'keyfold.test' });
    expect(verifyDkim(mail.raw, findKey)).toMatchObject({ isValid: true, domain: 'author.test' });
    const verdicts = await authenticateMessage(inbound.deps.dns, 'mx.outside.test', {
      raw: mail.raw,
      clientIp: '127.0.0.1',
      helo: 'mail.keyfold.test',
      envelopeFrom: mail.from,
    });
    expect(verdicts).toMatchObject({ arc: 'pass', dkim: 'pass', spf: 'pass', dmarc: 'pass' });
    expect(verdicts.results).toContain('spf=pass smtp.mailfrom=keyfold.test');
    // Keyfold does not sign messages that it did not write.
    expect(mail.raw.toString().match(/^DKIM-Signature:/gm)).toHaveLength(1);
    expect((await copiesOf(root)).at(-1)).toEqual(raw);
    expect((await copiesOf(bob)).at(-1)).toEqual(raw);
  });

  test('is sent once, however often the other server delivers it', async () => {
    const raw = await signedMessage();
    const copies = (await copiesOf(root)).length;
    for (let times = 0; times < 2; times++)
      expect(await bring(raw, 'al@author.test', 'abuse@keyfold.test')).toMatch(/^250/);
    expect(await arrived()).toHaveLength(1);
    expect(await copiesOf(root)).toHaveLength(copies + 1);
  });

  test('is stored together with the local copy or not at all', async () => {
    const { db } = inbound.deps;
    const copies = (await copiesOf(root)).length;
    await sql`alter table outbound_messages add constraint none_now check (not is_forward) not valid`.execute(
      db,
    );
    const raw = await signedMessage();
    expect(await bring(raw, 'al@author.test', 'abuse@keyfold.test')).toMatch(/^451/);
    expect(await copiesOf(root)).toHaveLength(copies);
    await sql`alter table outbound_messages drop constraint none_now`.execute(db);
    expect(await bring(raw, 'al@author.test', 'abuse@keyfold.test')).toMatch(/^250/);
    expect(await copiesOf(root)).toHaveLength(copies + 1);
    expect(await arrived()).toHaveLength(1);
  });

  test('keeps the null sender of a bounce and a reversible sender of another forwarder', async () => {
    await bring(outgoing('mailer-daemon@relay.test'), '', 'postmaster@keyfold.test');
    expect((await arrived()).map(({ from }) => from)).toEqual(['']);
    await bring(outgoing('eve@relay.test'), 'SRS0=abcd=QX=far.test=eve@relay.test', 'abuse@keyfold.test');
    expect((await arrived())[0]?.from).toMatch(
      /^SRS1=[A-Z2-7]{8}=relay\.test==abcd=QX=far\.test=eve@keyfold\.test$/,
    );
  });

  test('to a report address needs a passing author domain', async () => {
    expect(await bring(await signedMessage(), 'al@author.test', 'dmarc@keyfold.test')).toMatch(/^250/);
    expect((await arrived()).map(({ to }) => to)).toEqual([['reports@outside.test']]);
    expect(await bring(outgoing('al@unproved.test'), 'al@unproved.test', 'dmarc@keyfold.test')).toMatch(
      /^250/,
    );
    expect(await arrived()).toEqual([]);
  });
});

describe('forwarding does not apply to', () => {
  const stays = async (raw: Buffer, from = 'al@relay.test', to = 'abuse@keyfold.test', reader = root) => {
    const copies = (await copiesOf(reader)).length;
    expect(await bring(raw, from, to)).toMatch(/^250/);
    expect(await copiesOf(reader)).toHaveLength(copies + 1);
    expect(await queued()).toBe(0);
    expect(await arrived()).toEqual([]);
  };

  test('the mailbox of a user, whatever its name', async () => {
    await stays(outgoing('al@relay.test'), 'al@relay.test', 'bob@keyfold.test', bob);
    await stays(outgoing('al@relay.test'), 'al@relay.test', 'abuse@other.test', bob);
  });

  test('mail that fails the policy of its author’s domain', async () => {
    await stays(outgoing('al@author.test'), 'al@unproved.test');
  });

  test('mail with a forged local author or several authors', async () => {
    await stays(outgoing('root@keyfold.test'));
    await stays(outgoing('news@sub.keyfold.test'));
    await stays(outgoing('al@relay.test, bo@relay.test'));
  });

  test('mail that was forwarded before or is in a loop', async () => {
    await stays(outgoing('al@relay.test', 'Delivered-To: Abuse@Keyfold.test\r\n'));
    await stays(
      outgoing('al@relay.test', 'Received: from a by b; Mon, 23 Nov 2026 10:00:00 +0000\r\n'.repeat(100)),
    );
    const own = await rewritten();
    await stays(outgoing('al@relay.test'), own);
  });

  test('spam', async () => {
    const raw = Buffer.from(
      `From: Al <al@relay.test>\r\nTo: abuse@keyfold.test\r\nMessage-ID: <${++count}@relay.test>\r\nSubject: XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X\r\n\r\nXJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X\r\n`,
    );
    await stays(raw);
  });
});

describe('a bounce', () => {
  const bounce =
    'From: mailer-daemon@outside.test\r\nTo: x\r\nSubject: Undelivered\r\nMIME-Version: 1.0\r\n\r\nNo such user.\r\n';

  test('is forwarded to the original sender', async () => {
    const address = await rewritten('Al.Bo@author.test');
    expect(await bring(bounce, '', address)).toMatch(/^250/);
    const [mail, ...others] = await arrived();
    expect(others).toEqual([]);
    expect([mail?.from, mail?.to]).toEqual(['', ['Al.Bo@author.test']]);
    expect(mail?.raw.toString()).toMatch(/^Received: from [\s\S]*\r\n\r\nNo such user\.\r\n$/);
    expect(mail?.raw.toString()).not.toContain('DKIM-Signature');
  });

  test('is refused at a forged, foreign or expired address or with a non-null sender', async () => {
    const address = await rewritten();
    const other = address.replace('=author.test=', '=victim.test=');
    for (const [from, to] of [
      ['', other],
      ['', 'SRS0=AAAAAAAA=AA=victim.test=al@keyfold.test'],
      ['', 'SRS1=AAAAAAAA=victim.test==x=y=z@keyfold.test'],
      ['', address.replace('@keyfold.test', '@other.test')],
      ['al@relay.test', address],
      ['', address.replace('@keyfold.test', '@elsewhere.test')],
    ] as const)
      expect(await bring(bounce, from, to), `${from} ${to}`).toMatch(/^550 5\.7\.1/);
    clock.advance(22 * DAY_MS);
    expect(await bring(bounce, '', address)).toMatch(/^550 5\.7\.1/);
    expect(await arrived()).toEqual([]);
  });

  test('has one recipient and a limited size', async () => {
    const address = await rewritten('one@author.test');
    const client = await connectSmtp(inbound.smtp.port);
    await client.reply();
    await client.command('EHLO mx.outside.test');
    await client.command('MAIL FROM:<>');
    expect(await client.command(`RCPT TO:<${address}>`)).toMatch(/^250/);
    expect(await client.command('RCPT TO:<bob@keyfold.test>')).toMatch(/^452/);
    await client.command('RSET');
    await client.command('MAIL FROM:<>');
    expect(await client.command('RCPT TO:<bob@keyfold.test>')).toMatch(/^250/);
    expect(await client.command(`RCPT TO:<${address}>`)).toMatch(/^452/);
    client.destroy();
    const large = `${bounce}${`${'x'.repeat(76)}\r\n`.repeat(14_000)}`;
    expect(await bring(large, '', address)).toMatch(/^552/);
    expect(await arrived()).toEqual([]);
  });

  test('whose author cannot be trusted is refused', async () => {
    const address = await rewritten('two@author.test');
    for (const author of ['root@keyfold.test', 'al@author.test', 'a@outside.test, b@outside.test'])
      expect(await bring(bounce.replace('mailer-daemon@outside.test', author), '', address)).toMatch(
        /^550 5\.7\.1/,
      );
    expect(await bring(bounce, '', address)).toMatch(/^450/);
    expect(await arrived()).toEqual([]);
  });

  test('that is repeated too often is deferred', async () => {
    const address = await rewritten('often@author.test');
    for (let times = 0; times < 3; times++) expect(await bring(bounce, '', address)).toMatch(/^250/);
    expect(await bring(bounce, '', address)).toMatch(/^450 4\.7\.1/);
    expect(await arrived()).toHaveLength(3);
  });
});

test('a queued forward that must not be sent is dropped silently and never delivered to a local mailbox', async () => {
  const { db } = inbound.deps;
  const [copies, others] = [(await copiesOf(root)).length, (await copiesOf(bob)).length];
  const forward = (recipient: string) => ({
    userId: root.userId,
    sender: 'al@relay.test',
    recipients: [recipient],
    message: outgoing('root@keyfold.test'),
    isForward: true as const,
  });
  await db.transaction().execute(trx => enqueueOutbound(inbound.deps, trx, forward('bob@keyfold.test')));
  signalDelivery(inbound.deps);
  expect(await arrived()).toEqual([]);
  sink.refuseRecipient = () => [451, '4.2.1 Later'];
  await db.transaction().execute(trx => enqueueOutbound(inbound.deps, trx, forward('ops@outside.test')));
  signalDelivery(inbound.deps);
  const isPutOff = () => db.selectFrom('outbound_recipients').select('last_status').execute();
  await expect.poll(isPutOff, { timeout: 15_000 }).toEqual([{ last_status: '4.2.1' }]);
  await dropMail(inbound.deps, { kind: 'operator' }, { domain: 'outside.test' });
  expect(await arrived()).toEqual([]);
  expect([await copiesOf(root), await copiesOf(bob)].map(({ length }) => length)).toEqual([copies, others]);
});

test('an undeliverable forward is recorded for the operator only, once a day', async () => {
  sink.refuseRecipient = () => [550, '5.1.1 No such user'];
  const copies = (await copiesOf(root)).length;
  for (let times = 0; times < 2; times++) {
    await bring(await signedMessage(), 'al@author.test', 'abuse@keyfold.test');
    expect(await arrived()).toEqual([]);
  }
  // The two messages, and no notice.
  expect(await copiesOf(root)).toHaveLength(copies + 2);
  const { entries } = await readAudit(inbound.deps.db, { count: 10 });
  const told = entries.filter(({ action }) => action === 'lose_forward');
  expect(told.map(({ object, actor }) => [object, actor.kind])).toEqual([['outside.test', 'service']]);
  signalDelivery(inbound.deps);
  expect(await queued()).toBe(0);
});
