// A compromised account that sends spam: how it is detected, what is held, who is notified, and how
// the hold ends. Also servers that stall in the middle of a session, which must not delay other
// mail.
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { csrfOf, registerTestAdmin, type TestAdmin } from '../../../../tests/harness/admins.ts';
import { codeOf } from '../../../../tests/harness/codes.ts';
import { atSink, useDeliveryTest } from '../../../../tests/harness/delivery.ts';
import { rspamdAnswer, startTestRspamd, type TestRspamd } from '../../../../tests/harness/rspamd.ts';
import { sealTestMessage, type TestMessage } from '../../../../tests/harness/sending.ts';
import { registerTestUser, type TestUser, userIdOf } from '../../../../tests/harness/users.ts';
import { startDelivery } from '../../../smtp/outbound/start.ts';
import { createIngest } from '../../inbound/ingest/index.ts';
import { createReportReceiver } from '../../reports/received-reports/index.ts';
import { goOnWhenReleased, releaseSender, tellHolds } from './service.ts';

const HOUR_MS = 3_600_000;
const GTUBE = 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X';

let rspamd: TestRspamd;
beforeAll(async () => {
  rspamd = await startTestRspamd();
});
afterAll(() => rspamd.close());
const delivery = useDeliveryTest(() => ({
  isSendingWatched: true,
  isOutgoingScanned: true,
  rspamdUrl: rspamd.url,
}));
let root: TestAdmin;
beforeAll(async () => {
  root = await registerTestAdmin(delivery.app, 'super');
});
afterEach(() => {
  delivery.sink.refuseRecipient = () => null;
});

let made = 0;
const people = (count: number): string[] =>
  Array.from({ length: count }, () => `person${++made}@outside.test`);

const send = async (sender: TestUser, message: TestMessage) =>
  sender.client.sending.send_private(await sealTestMessage(sender, message));

const noticesOf = async (user: TestUser): Promise<string[]> =>
  (await user.client.mail.query({})).data.flatMap(({ alert, headers }) => {
    const kind = /^X-Keyfold-Notice: (\w+)/m.exec(headers)?.[1];
    return alert && kind?.includes('held') ? [kind] : [];
  });

const holdOf = async (user: TestUser) =>
  delivery.app.db
    .selectFrom('send_holds')
    .select(['reason', 'strikes', 'held_until'])
    .where('user_id', '=', await userIdOf(delivery.app.db, user))
    .executeTakeFirst();

test('more new recipients than usual hold outbound mail for an hour, notify owner and admins, and spare local mail', async () => {
  const { app, clock } = delivery;
  const mallory = await registerTestUser(app);
  const friend = 'friend@outside.test';
  await send(mallory, { to: [friend, ...people(49)] });
  await delivery.settled(0);
  expect(delivery.newMessages().flatMap(({ to }) => to)).toHaveLength(50);
  // A known recipient never counts as a stranger, no matter how often the user writes to them.
  await send(mallory, { to: [friend] });
  await delivery.settled(0);
  expect(await holdOf(mallory)).toBeUndefined();
  delivery.newMessages();
  await send(mallory, { to: people(1) });
  await delivery.settled(1);
  expect(delivery.newMessages()).toEqual([]);
  expect(await holdOf(mallory)).toMatchObject({ reason: 'strangers', strikes: 1 });
  const refused = await send(mallory, { to: [friend] }).catch(error => error);
  expect(refused).toMatchObject({ status: 429, code: 'rate_limited' });
  expect(refused.retryAfterSeconds).toBeGreaterThan(3_500);
  await send(mallory, { to: [delivery.ben] });
  expect((await delivery.ben.client.mail.query({})).data).toHaveLength(1);
  await expect.poll(() => noticesOf(mallory)).toEqual(['mail_held']);
  expect(await noticesOf(root)).toEqual(['mail_of_account_held']);
  expect(await tellHolds(app.deps)).toBe(0);
  const { data } = await root.client.admin.audit({ count: 1 }, root.csrf);
  expect(data.entries).toMatchObject([
    {
      action: 'hold_mail',
      actor: { kind: 'service', email: null },
      subject: mallory.email,
      object: 'strangers',
    },
  ]);
  clock.advance(HOUR_MS + 1);
  delivery.wake();
  await delivery.settled(0);
  expect(delivery.newMessages()).toHaveLength(1);
  await send(mallory, { to: [friend] });
  await delivery.settled(0);
  expect(delivery.newMessages()).toHaveLength(1);
});

test('a release also covers mail that was just being deferred, but not a deferral by a remote server', async () => {
  const { app, clock } = delivery;
  const mallory = await registerTestUser(app);
  await send(mallory, { to: people(50) });
  await delivery.settled(0);
  await send(mallory, { to: people(2) });
  await delivery.settled(2);
  delivery.newMessages();
  const [first, second] = await app.db
    .selectFrom('outbound_recipients')
    .select(['id', 'next_attempt_at'])
    .execute();
  const change = (id: string, values: object) =>
    app.db.updateTable('outbound_recipients').set(values).where('id', '=', id).execute();
  const id = first?.id ?? '';
  await change(id, { leased_until: new Date(clock.now().getTime() + HOUR_MS) });
  await change(second?.id ?? '', { last_code: 450 });
  expect(await releaseSender(app.deps, mallory.email)).toBe(true);
  await change(id, { leased_until: null });
  delivery.wake();
  await delivery.settled(2);
  expect(delivery.newMessages()).toEqual([]);
  const { user_id } = await app.db
    .selectFrom('addresses')
    .select('user_id')
    .where('address', '=', mallory.email)
    .executeTakeFirstOrThrow();
  await goOnWhenReleased(app.deps, user_id);
  delivery.wake();
  await delivery.settled(1);
  expect(delivery.newMessages()).toHaveLength(1);
  clock.advance(HOUR_MS + 1);
  delivery.wake();
  await delivery.settled(0);
  expect(delivery.newMessages()).toHaveLength(1);
});

test('an admin sees the reason, start and size of a hold and can release it, but never their own', async () => {
  const { app, clock } = delivery;
  const mallory = await registerTestUser(app);
  const user_id = await userIdOf(app.db, mallory);
  const { admin } = root.client;
  const csrf = await csrfOf(root);
  const ask = async () => (await admin.mail_hold({ user_id }, csrf)).data.hold;
  const isListed = async () => {
    const { users } = (await admin.users({ search: mallory.email }, csrf)).data;
    return users.map(({ mail_held }) => mail_held);
  };
  const release = async (user: TestUser | TestAdmin, by = root, token = csrf) =>
    (await by.client.admin.release_mail({ user_email: user.email }, token)).data;
  expect(await ask()).toBeNull();
  expect(await isListed()).toEqual([false]);
  expect(await release(mallory)).toEqual({ released: false });
  const heldAt = clock.now();
  await send(mallory, { to: people(51) });
  await delivery.settled(51);
  clock.advance(600_000);
  expect(await ask()).toEqual({
    reason: 'strangers',
    since: heldAt.toISOString(),
    until: new Date(heldAt.getTime() + HOUR_MS).toISOString(),
    waiting: 51,
    before: { strangers: 51, tried: 51, refused: 0, suspicious: 0, complaints: 0 },
  });
  expect(await isListed()).toEqual([true]);
  // An attacker who took over an admin's account cannot release its mail.
  await send(root, { to: people(51) });
  expect(await codeOf(release(root))).toBe('422 own_hold');
  const other = await registerTestAdmin(app, 'standard');
  expect(await codeOf(release(root, other, other.csrf))).toBe('403 forbidden');
  expect(await release(mallory, other, other.csrf)).toEqual({ released: true });
  expect(await ask()).toBeNull();
  expect(await isListed()).toEqual([false]);
  const { entries } = (await admin.audit({ count: 1 }, csrf)).data;
  expect(entries).toMatchObject([
    { action: 'release_mail', actor: { kind: 'admin', email: other.email }, subject: mallory.email },
  ]);
  // Releasing signals the worker, so delivery does not wait for the next poll.
  await delivery.settled(51);
  expect(delivery.newMessages().flatMap(({ to }) => to)).toHaveLength(51);
  await releaseSender(app.deps, root.email);
  delivery.wake();
  await delivery.settled(0);
  delivery.newMessages();
});

test('certain spam is refused per message, and repeated spam holds the account, longer the second time', async () => {
  const { app, clock } = delivery;
  const mallory = await registerTestUser(app);
  const spam = () => {
    rspamd.says = { json: rspamdAnswer(20) };
    return codeOf(send(mallory, { to: people(1) })).finally(() => {
      rspamd.says = { json: rspamdAnswer(0) };
    });
  };
  clock.advance(HOUR_MS - (clock.now().getTime() % HOUR_MS));
  for (let message = 0; message < 2; message++) expect(await spam()).toBe('422 spam_refused');
  expect(await holdOf(mallory)).toBeUndefined();
  await send(mallory, { to: people(1) });
  await delivery.settled(0);
  expect(delivery.newMessages()).toHaveLength(1);
  expect(await spam()).toBe('422 spam_refused');
  expect(await holdOf(mallory)).toMatchObject({ reason: 'content', strikes: 1 });
  expect(await codeOf(send(mallory, { to: people(1) }))).toBe('429 rate_limited');
  expect(await spam()).toBe('429 rate_limited');
  clock.advance(1_000);
  expect(await releaseSender(app.deps, mallory.email)).toBe(true);
  expect(await releaseSender(app.deps, mallory.email)).toBe(false);
  clock.advance(HOUR_MS);
  for (let message = 0; message < 3; message++) expect(await spam()).toBe('422 spam_refused');
  const second = await holdOf(mallory);
  expect(second?.strikes).toBe(2);
  expect(second?.held_until.getTime()).toBe(clock.now().getTime() + 6 * HOUR_MS);
  expect(delivery.newMessages()).toEqual([]);
});

test('a message that quotes the GTUBE test line is not spam', async () => {
  const mallory = await registerTestUser(delivery.app);
  rspamd.scans.length = 0;
  for (let message = 0; message < 3; message++)
    await send(mallory, { to: people(1), text: `Hello\r\n> ${GTUBE}\r\n` });
  await delivery.settled(0);
  expect(await holdOf(mallory)).toBeUndefined();
  const raws = delivery.newMessages().map(({ raw }) => raw.toString());
  expect(raws.filter(raw => raw.includes(GTUBE))).toHaveLength(3);
  expect(rspamd.scans).toHaveLength(3);
  expect(rspamd.scans.filter(({ body }) => body.includes(GTUBE))).toEqual([]);
});

test('many refused recipients hold the mail that follows', async () => {
  const { app, sink, clock } = delivery;
  const mallory = await registerTestUser(app);
  sink.refuseRecipient = address => (address.startsWith('gone') ? [550, '5.1.1 No such user'] : null);
  const gone = Array.from({ length: 20 }, (_, index) => `gone${index}@outside.test`);
  // Counts are per whole hour, so the test must not cross the end of one.
  clock.advance(HOUR_MS - (clock.now().getTime() % HOUR_MS));
  await send(mallory, { to: [...gone, ...people(5)] });
  await delivery.settled(0);
  expect(await holdOf(mallory)).toMatchObject({ reason: 'refusals', strikes: 1 });
  expect(await codeOf(send(mallory, { to: people(1) }))).toBe('429 rate_limited');
  delivery.newMessages();
});

test('complaints vouched for by a single organization do not hold an account unless they are very many', async () => {
  const { app, clock } = delivery;
  const mallory = await registerTestUser(app);
  const userId = await userIdOf(app.db, mallory);
  clock.advance(HOUR_MS - (clock.now().getTime() % HOUR_MS));
  let complaints = 0;
  /** Inserts complaints about messages to three domains in turn. */
  const complain = (count: number, organization: string) =>
    app.db
      .insertInto('complaints')
      .values(
        Array.from({ length: count }, () => ({
          user_id: userId,
          digest: Buffer.from(`complaint ${++complaints}`),
          audience: Buffer.from(`domain ${complaints % 3}`),
          reporter: Buffer.from(organization),
          received_at: clock.now(),
        })),
      )
      .execute();
  const isHeldAfterNext = async () => {
    await send(mallory, { to: people(1) });
    const until = (await holdOf(mallory))?.held_until;
    const isHeld = until !== undefined && until > clock.now();
    await delivery.settled(isHeld ? 1 : 0);
    delivery.newMessages();
    return isHeld;
  };
  await complain(19, 'one.test');
  expect(await isHeldAfterNext()).toBe(false);
  await complain(1, 'one.test');
  expect(await isHeldAfterNext()).toBe(true);
  clock.advance(HOUR_MS);
  delivery.wake();
  await delivery.settled(0);
  await complain(4, 'one.test');
  expect(await isHeldAfterNext()).toBe(false);
  await complain(1, 'two.test');
  expect(await isHeldAfterNext()).toBe(true);
  await releaseSender(app.deps, mallory.email);
  delivery.wake();
  await delivery.settled(0);
  delivery.newMessages();
});

test('complaints from readers at several domains, matched by feedback ID, hold the mail that follows', async () => {
  const { app, clock, dns } = delivery;
  dns.zone['third.test'] = atSink;
  const mallory = await registerTestUser(app);
  clock.advance(HOUR_MS - (clock.now().getTime() % HOUR_MS));
  const desk = createReportReceiver(app.deps);
  /** Sends a message to a domain whose reader complains about it twice. */
  const annoy = async (domain: string) => {
    await send(mallory, { to: [`reader${++made}@${domain}`] });
    await delivery.settled(0);
    const raw = delivery.newMessages()[0]?.raw.toString() ?? '';
    expect(raw).toMatch(/^CFBL-Address: abuse@keyfold\.test; report=arf\r$/m);
    const complaint = `Content-Type: multipart/report; report-type=feedback-report; boundary=b\r\n\r\n--b\r\nContent-Type: message/feedback-report\r\n\r\nFeedback-Type: abuse\r\n\r\n--b\r\nContent-Type: message/rfc822\r\n\r\n${raw}\r\n--b--\r\n`;
    // Repeated complaints of one reader count once.
    for (let times = 0; times < 2; times++)
      desk.offer({
        raw: Buffer.from(complaint),
        provedDomain: domain,
        provedOrganization: domain,
        network: null,
      });
    await desk.whenIdle();
  };
  // One reader who provokes messages and complains, however often, cannot cause a hold.
  for (let message = 0; message < 5; message++) await annoy('outside.test');
  await annoy('elsewhere.test');
  await annoy('third.test');
  expect(await holdOf(mallory)).toBeUndefined();
  await desk.whenIdle();
  await desk.close();
  await send(mallory, { to: people(1) });
  await delivery.settled(1);
  expect(await holdOf(mallory)).toMatchObject({ reason: 'complaints', strikes: 1 });
  await releaseSender(app.deps, mallory.email);
  delivery.wake();
  await delivery.settled(0);
  delivery.newMessages();
});

test('a send within its undo window also counts and can trigger a hold', async () => {
  const mallory = await registerTestUser(delivery.app);
  const message = await sealTestMessage(mallory, { to: people(51) });
  const { data } = await mallory.client.sending.send_private({ ...message, undo_seconds: 30 });
  expect(await holdOf(mallory)).toMatchObject({ reason: 'strangers' });
  await mallory.client.sending.unsend({ id: data.id });
  expect(await delivery.queueLength()).toBe(0);
});

test('stored data about outside recipients contains no readable addresses', async () => {
  const { rows } = await sql<{ text: string }>`
    select r::text || encode(r.digest, 'escape') as text from outside_recipients r`.execute(delivery.app.db);
  expect(rows.length).toBeGreaterThan(50);
  expect(rows.map(({ text }) => text).join()).not.toMatch(/outside|person/);
});

/** Starts a server that accepts connections, sends the given text, and then stalls. */
async function startStalled(port: number, host: string, said: string) {
  const sockets = new Set<Socket>();
  const server: Server = createServer(socket => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    if (said !== '') socket.write(said);
  });
  await new Promise<void>(resolve => server.listen(port, host, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => sockets.size,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

let stop: (() => Promise<void>) | null = null;
afterAll(() => stop?.());

test('servers that stall in the middle of a session do not delay other mail', async () => {
  const { app, dns, sink, ann } = delivery;
  await delivery.stop();
  const silent = await startStalled(sink.port, '127.0.0.2', '');
  // After its greeting the server sends nothing, so EHLO gets no reply.
  const greeted = await startStalled(sink.port, '127.0.0.3', '220 slow.test ESMTP\r\n');
  const domains = Array.from({ length: 6 }, (_, index) => `stalled${index}.test`);
  for (const [index, domain] of domains.entries())
    dns.zone[domain] = { MX: [[10, index % 2 === 0 ? 'mx.silent.test' : 'mx.greeted.test']] };
  dns.zone['mx.silent.test'] = { A: ['127.0.0.2'] };
  dns.zone['mx.greeted.test'] = { A: ['127.0.0.3'] };
  for (let message = 0; message < 4; message++)
    await send(ann, { to: domains.map(domain => `${message}@${domain}`) });
  await send(ann, { to: ['bob@outside.test'] });
  const ingest = createIngest(app.deps);
  const worker = await startDelivery(app.deps, ingest, { pollMs: 100, closeMs: 100, slowMs: 300 });
  stop = async () => {
    stop = null;
    await worker.close();
    await ingest.close();
    await silent.close();
    await greeted.close();
  };
  await expect
    .poll(() => delivery.newMessages().flatMap(({ to }) => to), { timeout: 10_000 })
    .toEqual(['bob@outside.test']);
  expect(silent.connections() + greeted.connections()).toBeGreaterThan(10);
  await stop();
});
