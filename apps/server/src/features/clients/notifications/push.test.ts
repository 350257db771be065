// Push end to end: devices register through the API, mail arrives, and local services that speak
// the real protocols record what they receive.
import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { createTestClock, type TestClock } from '../../../../tests/harness/clock.ts';
import { makeNewMail, type TestMail } from '../../../../tests/harness/mailbox.ts';
import { openPush, pushSubscription, type Subscription } from '../../../../tests/harness/push.ts';
import { type FcmPeer, startFcmPeer, UNREGISTERED } from '../../../../tests/harness/push-services.ts';
import { registerTestUser, type TestUser, userIdOf } from '../../../../tests/harness/users.ts';
import { startTestWeb, type TestWeb } from '../../../../tests/harness/web.ts';
import {
  PUSH_BURST_MAX,
  PUSH_DEVICES_MAX,
  PUSH_KEPT_MS,
  PUSH_SUMMARY_WAIT_MS,
} from '../../../base/limits.ts';
import { startPush } from '../../../jobs/push.ts';
import { storeMails } from '../../mailbox/messages/index.ts';
import { removeExpiredRows } from '../../operator/retention/jobs.ts';
import { createGatherer } from './gather.ts';
import { upsertDevice } from './store.ts';
import { sealDevice } from './tokens.ts';
import { createQueues, createSenders } from './worker.ts';

const HOUR_MS = 60 * 60 * 1000;

let app: TestApp;
let clock: TestClock;
let web: TestWeb;
let fcm: FcmPeer;
let ann: TestUser;
let annId: string;
const lines: string[] = [];

/** Requests that web push services received, by endpoint path, and their responses. */
const arrived: { path: string; body: Buffer }[] = [];
let answer: (path: string) => { status: number; headers?: Record<string, string> } = () => ({ status: 201 });

let look: () => Promise<void>;
let sendAll: () => Promise<number>;

beforeAll(async () => {
  web = await startTestWeb();
  web.names['push.site.test'] = ['93.184.216.36'];
  web.handle = (request, response) => {
    const path = request.url ?? '';
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => void pieces.push(piece));
    request.on('end', () => {
      const { status, headers = {} } = answer(path);
      if (status < 300) arrived.push({ path, body: Buffer.concat(pieces) });
      response.writeHead(status, headers).end();
    });
  };
  fcm = await startFcmPeer();
  clock = createTestClock();
  const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const vapid = { subject: 'mailto:postmaster@keyfold.test', keys: undefined };
  app = await startTestApp({
    clock,
    dns: web.dns,
    outboundConnector: web.outboundConnector,
    logger,
    config: { push: { fcm: fcm.config, apns: undefined, isWebOn: true, vapid } },
  });
});
afterAll(async () => {
  await app.close();
  await web.close();
  await fcm.close();
  const told = lines.join('\n');
  expect(told).not.toContain('push.site.test');
  expect(told).not.toContain(FCM_TOKEN);
});
beforeEach(async () => {
  arrived.length = 0;
  fcm.taken.length = 0;
  fcm.answer = () => null;
  answer = () => ({ status: 201 });
  ann = await registerTestUser(app);
  annId = await userIdOf(app.db, ann);
  await app.db.deleteFrom('push_devices').execute();
  const senders = createSenders(app.deps);
  const gatherer = createGatherer(app.deps, ['fcm', 'webpush', 'unifiedpush']);
  const queues = createQueues(app.deps, senders);
  look = async () => void (await gatherer.look(null));
  sendAll = async () => {
    let sent = 0;
    for (const { pushNext } of queues) while (await pushNext()) sent++;
    return sent;
  };
});

const FCM_TOKEN = 'fcm-device-0123456789:canary';
const ENDPOINT = 'https://push.site.test';

async function registerWeb(
  user = ann,
  { path = `/${randomBytes(4).toString('hex')}`, platform = 'web' as 'web' | 'unifiedpush' } = {},
): Promise<Subscription & { path: string; id: string }> {
  const device = pushSubscription(`${ENDPOINT}${path}`);
  const { data } = await user.client.notifications.register({ platform, token: device.token });
  return { ...device, path, id: data.id };
}
const registerPhone = async (user = ann, token = FCM_TOKEN) =>
  (
    await user.client.notifications.register({
      platform: 'android',
      token,
      device_info: { model: 'Pixel', platform: 'android', operatingSystem: 'android', osVersion: '16' },
    })
  ).data.id;

const arrive = (count = 1, mail: TestMail = {}, userId = annId) =>
  app.db.transaction().execute(trx =>
    storeMails(
      trx,
      Array.from({ length: count }, () => makeNewMail(userId, mail)),
    ),
  );

async function push(): Promise<void> {
  await look();
  await sendAll();
}
const toldTo = (device: Subscription & { path: string }) =>
  arrived
    .filter(({ path }) => path === device.path)
    .map(
      ({ body }) =>
        JSON.parse(openPush(device, body).toString()) as { type: string; id?: string; badge: number },
    );
const phoneGot = () => fcm.taken.map(one => one.data as Record<string, string>);
/** Returns the number of statements in this database that wait for a lock. */
async function countWaiting(): Promise<number> {
  const { rows } = await sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
    app.deps.db,
  );
  return rows.length;
}
const devicesOf = async (user = ann) => (await user.client.notifications.status({})).data.devices;

describe('push devices', () => {
  test('are registered, listed with their details, and unregistered', async () => {
    const id = await registerPhone();
    const other = await registerWeb();
    const { data } = await ann.client.notifications.status({});
    expect(data.platforms).toEqual(['android', 'web', 'unifiedpush']);
    expect(data.vapid_public_key).toMatch(/^B[A-Za-z0-9_-]{86}$/);
    const phone = data.devices.find(device => device.id === id);
    expect(phone).toMatchObject({
      platform: 'android',
      current: true,
      device_info: { model: 'Pixel', osVersion: '16' },
      preferences: { newEmails: true, mentions: true, security: true, quiet: null },
      sent_at: null,
      failing_since: null,
    });
    await ann.client.notifications.unregister({ token: FCM_TOKEN });
    await ann.client.notifications.unregister({ token: FCM_TOKEN });
    expect((await devicesOf()).map(device => device.id)).toEqual([other.id]);
    await ann.client.notifications.remove_device({ id: other.id });
    expect(await devicesOf()).toEqual([]);
  });

  test('share one VAPID key, which is created once', async () => {
    const first = (await ann.client.notifications.status({})).data.vapid_public_key;
    expect((await ann.client.notifications.status({})).data.vapid_public_key).toBe(first);
    const rows = await app.db.selectFrom('push_keys').selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(rows[0]?.public_key).toBe(first);
  });

  test('are stored without plain tokens or texts in the database', async () => {
    await registerPhone();
    const device = await registerWeb();
    const { rows } = await app.deps.db.executeQuery<{ row: string }>(
      sql`select d::text as row from push_devices d`.compile(app.deps.db),
    );
    const text = rows.map(({ row }) => row).join('\n');
    for (const word of [FCM_TOKEN, device.path, 'push.site.test', 'Pixel']) {
      expect(text).not.toContain(word);
      expect(text).not.toContain(Buffer.from(word).toString('hex'));
    }
  });

  test('are refused with an invalid token or for a platform that is off', async () => {
    const refused = (platform: 'android' | 'ios' | 'web' | 'unifiedpush', token: string) =>
      ann.client.notifications.register({ platform, token });
    await expect(refused('android', 'x')).rejects.toMatchObject({ code: 'push_refused' });
    await expect(refused('web', FCM_TOKEN)).rejects.toMatchObject({ code: 'push_refused' });
    const inside = pushSubscription('https://192.168.0.10/up').token;
    await expect(refused('unifiedpush', inside)).rejects.toMatchObject({ code: 'push_refused' });
    await expect(refused('ios', 'ab'.repeat(32))).rejects.toMatchObject({ code: 'push_off' });
    await expect(
      ann.client.notifications.preferences({ quiet: { from: '22:00', to: '24:00', time_zone: 'UTC' } }),
    ).rejects.toMatchObject({ code: 'malformed' });
    await expect(
      ann.client.notifications.preferences({ quiet: { from: '22:00', to: '07:00', time_zone: 'Nowhere' } }),
    ).rejects.toMatchObject({ code: 'malformed' });
  });

  test('move with their token to the user who registers it', async () => {
    await registerPhone();
    const bob = await registerTestUser(app);
    await registerPhone(bob);
    expect(await devicesOf()).toEqual([]);
    expect(await devicesOf(bob)).toHaveLength(1);
    await arrive();
    await arrive(1, {}, await userIdOf(app.db, bob));
    await push();
    expect(phoneGot()).toHaveLength(1);
    // A user cannot unregister another user's token.
    await ann.client.notifications.unregister({ token: FCM_TOKEN });
    expect(await devicesOf(bob)).toHaveLength(1);
  });

  test('registered twice at once belong to the second user only', async () => {
    const bob = await registerTestUser(app);
    const deviceOf = async (user: TestUser) => {
      const user_id = await userIdOf(app.db, user);
      const { id } = await app.db
        .selectFrom('sessions')
        .select('id')
        .where('user_id', '=', user_id)
        .executeTakeFirstOrThrow();
      const words = { model: '', platform: '', operatingSystem: '', osVersion: '' };
      return {
        user_id,
        id: randomUUID(),
        kind: 'fcm' as const,
        ...sealDevice(app.deps, FCM_TOKEN, words),
        session_id: id,
        family_id: null,
        preferences: null,
        now: clock.now(),
      };
    };
    const [first, second] = [await deviceOf(ann), await deviceOf(bob)];
    const { sending } = await app.deps.db.transaction().execute(async trx => {
      await upsertDevice(trx, first, '{}');
      const later = app.deps.db.transaction().execute(other => upsertDevice(other, second, '{}'));
      await expect.poll(countWaiting).toBe(1);
      return { sending: later };
    });
    expect(await sending).toBe(second.id);
    const rows = await app.db.selectFrom('push_devices').select(['id', 'user_id', 'session_id']).execute();
    expect(rows).toEqual([{ id: second.id, user_id: second.user_id, session_id: second.session_id }]);
  });

  test('can be renewed with another token while registered, but not after removal', async () => {
    const renew = (token: string, renews: string, user = ann) =>
      user.client.notifications.register({ platform: 'android', token, renews });
    const id = await registerPhone();
    expect((await renew(FCM_TOKEN, FCM_TOKEN)).data.id).toBe(id);
    const other = `${FCM_TOKEN}-2`;
    const { data } = await renew(other, FCM_TOKEN);
    expect((await devicesOf()).map(device => device.id)).toEqual([data.id]);
    await expect(renew(FCM_TOKEN, FCM_TOKEN)).rejects.toMatchObject({ code: 'not_found', status: 404 });
    const bob = await registerTestUser(app);
    await expect(renew(other, other, bob)).rejects.toMatchObject({ code: 'not_found' });
    await ann.client.notifications.remove_device({ id: data.id });
    await expect(renew(other, other)).rejects.toMatchObject({ code: 'not_found' });
    expect(await devicesOf()).toEqual([]);
    expect(await devicesOf(bob)).toEqual([]);
  });

  test('count a subscription once, however it is written', async () => {
    const { id, token } = await registerWeb();
    const { endpoint, keys } = JSON.parse(token);
    const spelled = [
      JSON.stringify({ keys, endpoint }, null, 2),
      JSON.stringify({
        endpoint,
        expirationTime: null,
        keys: { auth: `${keys.auth}==`, p256dh: keys.p256dh },
      }),
      JSON.stringify({ endpoint: `${endpoint.replace('https://push', 'HTTPS://Push')}#2`, keys }),
    ];
    for (const other of spelled) {
      const { data } = await ann.client.notifications.register({ platform: 'web', token: other });
      expect(data.id, other).toBe(id);
    }
    await arrive();
    await push();
    expect(arrived).toHaveLength(1);
    const bob = await registerTestUser(app);
    await bob.client.notifications.register({ platform: 'web', token: spelled[0] ?? '' });
    expect(await devicesOf()).toEqual([]);
    await bob.client.notifications.unregister({ token: spelled[1] ?? '' });
    expect(await devicesOf(bob)).toEqual([]);
  });

  test('beyond the limit replace the one seen longest ago', async () => {
    const first = await registerWeb();
    for (let n = 0; n < PUSH_DEVICES_MAX; n++) {
      clock.advance(1);
      await registerWeb();
    }
    const ids = (await devicesOf()).map(device => device.id);
    expect(ids).toHaveLength(PUSH_DEVICES_MAX);
    expect(ids).not.toContain(first.id);
  });
});

describe('a push device is removed', () => {
  const rows = () => app.db.selectFrom('push_devices').select('id').execute();

  test('with its session on sign-out', async () => {
    await registerWeb();
    await ann.client.auth.logout({});
    expect(await rows()).toEqual([]);
  });

  test('when its session or kept device is ended from another session', async () => {
    const kept = await registerTestUser(app, { keepSignedIn: true });
    const device = await registerWeb(kept);
    const elsewhere = app.client();
    await elsewhere.sign_in.login({ email: kept.email, password: kept.loginHash, keep_signed_in: false });
    await elsewhere.account.end_other_sessions({});
    expect((await rows()).map(row => row.id)).not.toContain(device.id);
  });

  test('when its session expires, unless the device stays signed in', async () => {
    const kept = await registerTestUser(app, { keepSignedIn: true });
    const [short, long] = [await registerWeb(), await registerWeb(kept)];
    clock.advance(25 * HOUR_MS);
    await arrive();
    await arrive(1, {}, await userIdOf(app.db, kept));
    await push();
    expect(toldTo(short)).toEqual([]);
    expect(toldTo(long)).toHaveLength(1);
    const { push_devices } = await removeExpiredRows(app.deps);
    expect(push_devices).toBe(0);
    // Deleting the session row cascaded to the device.
    expect((await rows()).map(row => row.id)).toEqual([long.id]);
  });

  test('with its session, not with the biometric token that started it', async () => {
    const { data } = await ann.client.biometrics.turn_on({ keep_signed_in: false });
    const client = app.client();
    await client.biometrics.enter({ email: ann.email, token: data.token, keep_signed_in: false });
    const phone = { ...ann, client };
    const device = await registerWeb(phone);
    await client.biometrics.turn_off({ token: data.token });
    await arrive();
    await push();
    expect(toldTo(device)).toHaveLength(1);
    // Registered again, as at every client start: the device is listed, receives pushes and is not
    // swept.
    await client.notifications.register({ platform: 'web', token: device.token });
    expect((await devicesOf(phone)).map(({ id }) => id)).toEqual([device.id]);
    expect((await removeExpiredRows(app.deps)).push_devices).toBe(0);
    await arrive();
    await push();
    expect(toldTo(device)).toHaveLength(2);
    await client.auth.logout({});
    expect(await rows()).toEqual([]);
  });

  test('with the biometric token, not with its session, while the token can start another one', async () => {
    const { data } = await ann.client.biometrics.turn_on({ keep_signed_in: true });
    const client = app.client();
    await client.biometrics.enter({ email: ann.email, token: data.token, keep_signed_in: false });
    const device = await registerWeb({ ...ann, client });
    clock.advance(25 * HOUR_MS);
    await removeExpiredRows(app.deps);
    expect((await rows()).map(({ id }) => id)).toEqual([device.id]);
    await app.client().biometrics.turn_off({ token: data.token });
    expect(await rows()).toEqual([]);
  });

  test('while a push is being sent to it, without a deadlock', async () => {
    await registerWeb();
    await arrive();
    await look();
    const { sending } = await app.deps.db.transaction().execute(async trx => {
      await trx.selectFrom('push_devices').select('id').where('user_id', '=', annId).forUpdate().execute();
      const sent = sendAll();
      await expect.poll(countWaiting).toBe(1);
      await trx.deleteFrom('push_devices').where('user_id', '=', annId).execute();
      return { sending: sent };
    });
    expect(await sending).toBe(1);
    expect(await rows()).toEqual([]);
  });

  test('while its mailbox is being scanned, without a deadlock', async () => {
    await registerWeb(ann, { platform: 'unifiedpush' });
    const other = await registerWeb();
    const [mail] = await arrive();
    await push();
    await ann.client.mail.read({ email_id: mail?.id ?? '', value: true });
    await arrive();
    await app.deps.db.transaction().execute(async trx => {
      // The device is deleted but not yet the notifications that it shows; this is where a deadlock
      // would occur.
      await trx.deleteFrom('push_devices').where('id', '<>', other.id).execute();
      await look();
    });
    await sendAll();
    expect((await rows()).map(({ id }) => id)).toEqual([other.id]);
    expect(toldTo(other)).toHaveLength(2);
  });

  test('with its account, and gets no push while the account is suspended', async () => {
    const device = await registerWeb();
    await arrive();
    await look();
    await app.db.updateTable('users').set({ status: 'suspended' }).where('id', '=', annId).execute();
    await sendAll();
    expect(toldTo(device)).toEqual([]);
    await app.db.deleteFrom('users').where('id', '=', annId).execute();
    expect(await rows()).toEqual([]);
  });
});

describe('a new message', () => {
  test('is pushed once, with type, id and count', async () => {
    const [browser, phone] = [await registerWeb(), await registerWeb(ann, { platform: 'unifiedpush' })];
    await registerPhone();
    const [mail] = await arrive();
    await push();
    await push();
    const told = { type: 'mail', id: mail?.id, badge: 1 };
    expect(toldTo(browser)).toEqual([told]);
    expect(toldTo(phone)).toEqual([told]);
    expect(phoneGot()).toEqual([{ type: 'mail', id: mail?.id }]);
    expect((await devicesOf()).map(device => device.sent_at !== null)).toEqual([true, true, true]);
  });

  test('is not pushed when it predates the device or is not news', async () => {
    await arrive();
    const device = await registerWeb();
    for (const flags of [
      { read: true },
      { flagged: true },
      { sent: true },
      { draft: true },
      { archived: true },
    ])
      await arrive(1, { flags });
    await arrive(1, { isQuiet: true });
    await push();
    expect(toldTo(device)).toEqual([]);
  });

  test('that is read before the push is not pushed', async () => {
    const device = await registerWeb();
    const [mail] = await arrive();
    await look();
    await ann.client.mail.read({ email_id: mail?.id ?? '', value: true });
    await sendAll();
    expect(toldTo(device)).toEqual([]);
  });

  test('is pushed according to the device’s preferences', async () => {
    const [loud, mute, named] = [await registerWeb(), await registerWeb(), await registerWeb()];
    const { notifications } = ann.client;
    const choose = (device: Subscription, choice: object) =>
      notifications.preferences({ token: device.token, ...choice });
    expect((await choose(mute, { newEmails: false, mentions: false })).data.updated).toBe(1);
    await choose(named, { newEmails: false });
    await arrive(1, { to: 'list@example.org' });
    await arrive(1, { to: `Ann <${ann.email}>` });
    await push();
    expect([loud, mute, named].map(device => toldTo(device).length)).toEqual([2, 0, 1]);
    const now = clock.now().toISOString().slice(11, 16);
    const later = new Date(clock.now().getTime() + 2 * HOUR_MS).toISOString().slice(11, 16);
    expect(
      (await notifications.preferences({ quiet: { from: now, to: later, time_zone: 'UTC' } })).data.updated,
    ).toBe(3);
    await arrive();
    await push();
    expect(toldTo(loud)).toHaveLength(2);
    // Registering again, as at every client start, keeps the preferences.
    await notifications.register({ platform: 'web', token: loud.token });
    expect((await devicesOf()).every(device => device.preferences.quiet !== null)).toBe(true);
  });

  test('in a flood is pushed one by one up to a limit, then as one summary', async () => {
    const device = await registerWeb();
    await arrive(PUSH_BURST_MAX + 5);
    await push();
    expect(toldTo(device)).toHaveLength(PUSH_BURST_MAX);
    await arrive(50);
    await arrive(7);
    await push();
    expect(toldTo(device)).toHaveLength(PUSH_BURST_MAX);
    clock.advance(PUSH_SUMMARY_WAIT_MS);
    await push();
    expect(toldTo(device).slice(PUSH_BURST_MAX)).toEqual([{ type: 'summary', badge: PUSH_BURST_MAX + 62 }]);
    clock.advance(HOUR_MS);
    await arrive();
    await push();
    expect(toldTo(device).at(-1)).toMatchObject({ type: 'mail' });
  });

  test('that is an account notice is pushed as such', async () => {
    const device = await registerWeb();
    const [mail] = await arrive(1, { isAlert: true });
    await push();
    expect(toldTo(device)).toEqual([{ type: 'security', id: mail?.id, badge: 1 }]);
  });

  test('in a flood displaces neither notices nor, on devices for mentions only, mentions', async () => {
    const device = await registerWeb();
    const choosy = await registerWeb();
    await ann.client.notifications.preferences({ token: choosy.token, newEmails: false });
    const [notice] = await arrive(1, { isAlert: true });
    const [named] = await arrive(1, { to: `Ann <${ann.email}>` });
    await arrive(PUSH_BURST_MAX + 2, { to: 'list@example.org' });
    await push();
    expect(toldTo(device)).toHaveLength(1 + PUSH_BURST_MAX);
    expect(toldTo(device)).toContainEqual(expect.objectContaining({ type: 'security', id: notice?.id }));
    const told = toldTo(choosy).map(({ type, id }) => [type, id]);
    expect(told.sort()).toEqual([
      ['mail', named?.id],
      ['security', notice?.id],
    ]);
  });
});

describe('reading a message', () => {
  test('removes its notification once from every device that showed it', async () => {
    await registerPhone();
    const other = await registerWeb(ann, { platform: 'unifiedpush' });
    const browser = await registerWeb();
    const [first, second] = await arrive(2);
    await push();
    await ann.client.mail.read({ email_id: first?.id ?? '', value: true });
    await push();
    await push();
    expect(phoneGot().slice(2)).toEqual([{ type: 'read', id: first?.id }]);
    expect(toldTo(other).slice(2)).toEqual([{ type: 'read', id: first?.id, badge: 1 }]);
    // A browser must show something for every push, so its page removes the notification.
    expect(toldTo(browser)).toHaveLength(2);
    await ann.client.mail.remove({ email_id: second?.id ?? '' });
    await push();
    expect(phoneGot().at(-1)).toEqual({ type: 'read', id: second?.id });
  });

  test('has the same effect as archiving it, because the badge counts only the inbox', async () => {
    await registerPhone();
    const [first, second] = await arrive(2);
    await push();
    await ann.client.mail.archive({ email_id: first?.id ?? '', value: true });
    await push();
    expect(phoneGot().slice(2)).toEqual([{ type: 'read', id: first?.id }]);
    await ann.client.mail.archive({ email_id: second?.id ?? '', value: true });
    await push();
    expect(phoneGot().at(-1)).toEqual({ type: 'read', id: second?.id });
    const { folders } = (await ann.client.mail.counts({})).data;
    expect(folders.recieved?.unread).toBe(0);
    // The count of unread received messages in all places is a different number
    // (docs/interpretations.md#60).
    expect((await ann.client.mail.unread_count({})).data.count).toBe(2);
  });
});

describe('an account notice', () => {
  const readIt = (id = '') => ann.client.mail.read({ email_id: id, value: true });

  test('is pushed even when it was read before the push', async () => {
    const device = await registerWeb();
    const [first] = await arrive(1, { isAlert: true });
    await readIt(first?.id);
    await push();
    const [second] = await arrive(1, { isAlert: true });
    await look();
    await readIt(second?.id);
    await ann.client.mail.remove({ email_id: second?.id ?? '' });
    await sendAll();
    expect(toldTo(device).map(({ type, id }) => [type, id])).toEqual([
      ['security', first?.id],
      ['security', second?.id],
    ]);
  });

  test('keeps its notification on the phone after it is read', async () => {
    await registerPhone();
    const [notice] = await arrive(1, { isAlert: true });
    const [mail] = await arrive();
    await push();
    await readIt(notice?.id);
    await readIt(mail?.id);
    await push();
    expect(phoneGot().slice(2)).toEqual([{ type: 'read', id: mail?.id }]);
  });
});

describe('a push service', () => {
  test('that reports a dead token has only that device removed', async () => {
    const [gone, here] = [await registerWeb(), await registerWeb()];
    await registerPhone();
    answer = path => ({ status: path === gone.path ? 410 : 201 });
    fcm.answer = () => UNREGISTERED;
    await arrive();
    await push();
    expect((await devicesOf()).map(device => device.id)).toEqual([here.id]);
    expect(toldTo(here)).toHaveLength(1);
    expect(await app.db.selectFrom('push_jobs').selectAll().execute()).toEqual([]);
  });

  test('that asks for a wait delays everything for the device', async () => {
    const device = await registerWeb();
    answer = () => ({ status: 429, headers: { 'retry-after': '600' } });
    await arrive();
    await push();
    answer = () => ({ status: 201 });
    await arrive();
    await push();
    clock.advance(599_000);
    expect(await sendAll()).toBe(0);
    expect((await devicesOf())[0]?.failing_since).not.toBe(null);
    clock.advance(1_000);
    await sendAll();
    expect(toldTo(device)).toHaveLength(2);
    expect((await devicesOf())[0]?.failing_since).toBe(null);
  });

  test('that fails is retried with growing waits until the news expires', async () => {
    const device = await registerWeb();
    let asked = 0;
    answer = () => {
      asked++;
      return { status: 503 };
    };
    await arrive();
    await look();
    for (let minute = 0; minute < (PUSH_KEPT_MS / HOUR_MS) * 60 + 120; minute += 5) {
      await sendAll();
      clock.advance(5 * 60_000);
      // The simulated day is longer than the idle limit of a session.
      await app.db
        .updateTable('sessions')
        .set({ expires_at: new Date(clock.now().getTime() + HOUR_MS) })
        .execute();
    }
    expect(asked).toBeGreaterThan(8);
    expect(asked).toBeLessThan(25);
    expect(await app.db.selectFrom('push_jobs').selectAll().execute()).toEqual([]);
    expect(toldTo(device)).toEqual([]);
    expect(await app.db.selectFrom('push_devices').select('id').execute()).toHaveLength(1);
    clock.advance(15 * 24 * HOUR_MS);
    await app.db
      .updateTable('sessions')
      .set({ expires_at: new Date(clock.now().getTime() + HOUR_MS) })
      .execute();
    await arrive();
    await push();
    expect(await app.db.selectFrom('push_devices').select('id').execute()).toEqual([]);
  });

  test('that has failed for an hour is blocked for another hour, also for new messages', async () => {
    await registerWeb();
    const hourAgo = new Date(clock.now().getTime() - HOUR_MS);
    await app.db.updateTable('push_devices').set({ failing_since: hourAgo }).execute();
    answer = () => ({ status: 503 });
    await arrive();
    await push();
    const row = await app.db.selectFrom('push_devices').select('blocked_until').executeTakeFirstOrThrow();
    expect(row.blocked_until).toEqual(new Date(clock.now().getTime() + HOUR_MS));
  });

  test('that fails for all devices is paused without affecting other services', async () => {
    await registerPhone();
    const device = await registerWeb();
    fcm.answer = () => ({ status: 503, headers: { 'retry-after': '120' } });
    await arrive();
    await push();
    fcm.answer = () => null;
    await arrive();
    await push();
    expect(phoneGot()).toEqual([]);
    expect(toldTo(device)).toHaveLength(2);
    clock.advance(120_000);
    await sendAll();
    expect(phoneGot()).toHaveLength(2);
  });

  test('that failed for all devices is retried within a minute, however long one job has waited', async () => {
    await registerPhone();
    fcm.answer = () => ({ status: 503 });
    await arrive();
    await look();
    for (const waited of [0, 10, 60, 5 * 60, 30 * 60]) {
      clock.advance(waited * 1_000);
      expect(await sendAll()).toBe(1);
    }
    const bob = await registerTestUser(app);
    const token = 'fcm-device-of-bob-0123456789';
    await registerPhone(bob, token);
    await arrive(1, {}, await userIdOf(app.db, bob));
    await push();
    fcm.answer = () => null;
    clock.advance(60_000);
    await sendAll();
    expect(fcm.taken.map(one => one.token)).toEqual([token]);
  });

  test('a crashed worker’s jobs are taken over', async () => {
    const device = await registerWeb();
    await arrive();
    await look();
    const leased_until = new Date(clock.now().getTime() + 60_000);
    await app.db.updateTable('push_jobs').set({ leased_until, attempts: 1 }).execute();
    expect(await sendAll()).toBe(0);
    clock.advance(60_000);
    await sendAll();
    expect(toldTo(device)).toHaveLength(1);
  });
});

test('a running worker finds new messages by notification and, without one, by polling', async () => {
  const device = await registerWeb();
  const running = startPush(app.deps, app.database.connection, { gatherMs: 20, lookEveryMs: 200 });
  await running.ready;
  await arrive();
  await expect.poll(() => toldTo(device)).toHaveLength(1);
  // Stored by a process that crashed before it announced the change.
  await app.database.db.transaction().execute(trx => storeMails(trx, [makeNewMail(annId)]));
  await expect.poll(() => toldTo(device)).toHaveLength(2);
  await running.close();
});

test('slow push endpoints delay neither phones nor other users’ endpoints', async () => {
  let asked = 0;
  const [slowUsers, slowDevices] = [4, 2];
  const all = slowUsers * slowDevices * PUSH_BURST_MAX;
  for (let user = 0; user < slowUsers; user++) {
    const slow = await registerTestUser(app);
    for (let n = 0; n < slowDevices; n++) await registerWeb(slow, { path: `/slow/${user}/${n}` });
    await arrive(PUSH_BURST_MAX, {}, await userIdOf(app.db, slow));
  }
  await look();
  clock.advance(1_000);
  await registerPhone();
  const bob = await registerTestUser(app);
  const browser = await registerWeb(bob);
  const askedBefore: Record<string, number> = {};
  fcm.answer = () => {
    askedBefore.phone ??= asked;
    return null;
  };
  const handle = web.handle;
  web.handle = (request, response) => {
    if (request.url === browser.path) askedBefore.browser ??= asked;
    if (!request.url?.startsWith('/slow/')) return handle(request, response);
    asked++;
    setTimeout(() => handle(request, response), 400);
  };
  const running = startPush(app.deps, app.database.connection, { gatherMs: 20, lookEveryMs: 200 });
  try {
    await running.ready;
    await expect.poll(() => asked).toBeGreaterThan(3);
    await arrive();
    await arrive(1, {}, await userIdOf(app.db, bob));
    await expect.poll(() => phoneGot()).toHaveLength(1);
    await expect.poll(() => toldTo(browser)).toHaveLength(1);
  } finally {
    await running.close();
    web.handle = handle;
  }
  expect(askedBefore.phone).toBeLessThan(all / 2);
  expect(askedBefore.browser).toBeLessThan(all / 2);
});

describe('badge counts and test pushes', () => {
  test('keep counts per icon and group, never below 0 and without group names', async () => {
    const { notifications } = ann.client;
    expect(await notifications.update_badge({ count: -3, platform: 'android' })).toEqual({
      data: { count: 0 },
    });
    expect(await notifications.update_badge({ count: 7.9, platform: 'android' })).toEqual({
      data: { count: 7 },
    });
    const group = { groupKey: 'Letters of Eve', unreadCount: -1, platform: 'ios' as const };
    expect(await notifications.update_group_summary(group)).toEqual({ data: { unreadCount: 0 } });
    await notifications.update_group_summary({ ...group, unreadCount: 4 });
    const rows = await app.db.selectFrom('push_counts').selectAll().where('user_id', '=', annId).execute();
    expect(rows.map(({ platform, count }) => [platform, count]).sort()).toEqual([
      ['android', 7],
      ['ios', 4],
    ]);
    expect(JSON.stringify(rows)).not.toContain('Eve');
    for (let n = 0; n < 60; n++)
      await notifications.update_group_summary({ ...group, groupKey: `group-${n}` });
    const kept = await app.db.selectFrom('push_counts').selectAll().where('user_id', '=', annId).execute();
    expect(kept).toHaveLength(50);
  });

  test('reach only the requesting device and are rate-limited', async () => {
    const device = await registerWeb();
    const elsewhere = app.client();
    await elsewhere.sign_in.login({ email: ann.email, password: ann.loginHash, keep_signed_in: false });
    expect((await elsewhere.notifications.test({})).data.queued).toBe(0);
    expect((await ann.client.notifications.test({})).data.queued).toBe(1);
    await sendAll();
    expect(toldTo(device).map(({ type }) => type)).toEqual(['test']);
    const tries = Array.from({ length: 10 }, () => ann.client.notifications.test({}));
    const refused = (await Promise.allSettled(tries)).filter(one => one.status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.reason).toMatchObject({ code: 'rate_limited' });
  });
});
