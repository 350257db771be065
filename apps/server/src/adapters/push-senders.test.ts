// All push senders, against servers that speak the protocols of FCM, APNs and Web Push.
import { createECDH, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { importJWK, jwtVerify } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openPush, pushSubscription } from '../../tests/harness/push.ts';
import {
  type ApnsPeer,
  type FcmPeer,
  startApnsPeer,
  startFcmPeer,
  UNREGISTERED,
} from '../../tests/harness/push-services.ts';
import { startTestWeb, type TestWeb } from '../../tests/harness/web.ts';
import { type PushMessage, type PushSender, readRetryAfter } from './push.ts';
import { createApnsSender } from './push-apns.ts';
import { createFcmSender } from './push-fcm.ts';
import { createWebPushSender, findSubscription, type VapidKeys } from './push-web.ts';

const MAIL: PushMessage = { type: 'mail', id: '0198c0de-0000-7000-8000-000000000001', badge: 3 };
const SECURITY: PushMessage = { ...MAIL, type: 'security' };
const READ: PushMessage = { ...MAIL, type: 'read', badge: 2 };
const SUMMARY: PushMessage = { type: 'summary', id: null, badge: 40 };

const soon = () => AbortSignal.timeout(10_000);
const sendTo = (sender: PushSender, token: string, message: PushMessage = MAIL, signal = soon()) =>
  sender.send(token, message, signal);

test('Retry-After is read as seconds and as a date', () => {
  expect(readRetryAfter('120')).toBe(120_000);
  const now = Date.parse('2026-01-01T00:00:00Z');
  expect(readRetryAfter('Thu, 01 Jan 2026 00:01:30 GMT', now)).toBe(90_000);
  expect(readRetryAfter('Thu, 01 Jan 2020 00:01:30 GMT', now)).toBe(0);
  for (const none of [undefined, null, '', 'soon', '-3']) expect(readRetryAfter(none)).toBe(null);
});

describe('Firebase Cloud Messaging', () => {
  let peer: FcmPeer;
  let sender: PushSender;
  let nowMs = Date.now();
  const token = 'fcm-token-0123456789:abcdef';
  beforeAll(async () => {
    peer = await startFcmPeer();
  });
  afterAll(() => peer.close());
  beforeEach(() => {
    peer.taken.length = 0;
    peer.signIns = 0;
    peer.answer = () => null;
    peer.signInAnswer = null;
    nowMs = Date.now();
    sender = createFcmSender(peer.config, () => nowMs);
  });

  test('a message names the app’s texts and carries only type and id', async () => {
    expect(await sendTo(sender, token)).toEqual({ kind: 'sent' });
    expect(peer.taken).toEqual([
      {
        token,
        data: { type: 'mail', id: MAIL.id },
        android: {
          priority: 'HIGH',
          ttl: '86400s',
          notification: {
            title_loc_key: 'push_title',
            body_loc_key: 'push_mail',
            tag: MAIL.id,
            channel_id: 'mail',
            visibility: 'PRIVATE',
          },
        },
      },
    ]);
  });

  test('a push that removes a notification shows none', async () => {
    await sendTo(sender, token, READ);
    expect(peer.taken).toEqual([
      {
        token,
        data: { type: 'read', id: MAIL.id },
        android: { priority: 'NORMAL', ttl: '86400s' },
      },
    ]);
  });

  test('summaries and notices have their own tag and channel', async () => {
    await sendTo(sender, token, SUMMARY);
    await sendTo(sender, token, SECURITY);
    const shown = peer.taken.map(one => (one.android as { notification: object }).notification);
    expect(shown).toMatchObject([
      { body_loc_key: 'push_summary', tag: 'summary', channel_id: 'mail' },
      { body_loc_key: 'push_security', tag: MAIL.id, channel_id: 'security' },
    ]);
  });

  test('signs in once for many messages, also concurrent ones, and again before the token expires', async () => {
    await Promise.all([sendTo(sender, token), sendTo(sender, token), sendTo(sender, token)]);
    expect(peer.signIns).toBe(1);
    nowMs += 3_599_000 - 61_000;
    await sendTo(sender, token);
    expect(peer.signIns).toBe(1);
    nowMs += 2_000;
    await sendTo(sender, token);
    expect(peer.signIns).toBe(2);
  });

  test('an endless response is not read to its end', async () => {
    const endless = createServer((request, response) => {
      request.resume();
      response.writeHead(500, { 'content-type': 'application/json' });
      const fill = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x')));
      };
      response.on('drain', fill);
      fill();
    });
    await new Promise<void>(resolve => endless.listen(0, '127.0.0.1', resolve));
    const apiBase = `http://127.0.0.1:${(endless.address() as AddressInfo).port}`;
    const startedAt = performance.now();
    const deaf = createFcmSender({ ...peer.config, apiBase }, () => nowMs);
    expect(await sendTo(deaf, token)).toMatchObject({ kind: 'later' });
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    endless.closeAllConnections();
    await new Promise(resolve => endless.close(resolve));
  });

  test('a refused access token is discarded without removing the device', async () => {
    await sendTo(sender, token);
    peer.forgetBearers();
    expect(await sendTo(sender, token)).toEqual({ kind: 'later', retryAfterMs: null, isAll: true });
    expect(await sendTo(sender, token)).toEqual({ kind: 'sent' });
    expect(peer.signIns).toBe(2);
  });

  test('a token that is unknown, malformed or of another project is dead', async () => {
    peer.answer = () => UNREGISTERED;
    expect(await sendTo(sender, token)).toEqual({ kind: 'dead' });
    const answers = [
      { status: 403, body: { error: { details: [{ errorCode: 'SENDER_ID_MISMATCH' }] } } },
      {
        status: 400,
        body: {
          error: {
            status: 'INVALID_ARGUMENT',
            details: [{ fieldViolations: [{ field: 'message.token', description: 'Invalid' }] }],
          },
        },
      },
    ];
    for (const answer of answers) {
      peer.answer = () => answer;
      expect(await sendTo(sender, token)).toEqual({ kind: 'dead' });
    }
  });

  test('a token that is malformed or not an Android token is dead by its error code alone', async () => {
    const details = (...codes: object[]) => ({ error: { details: codes } });
    peer.answer = () => ({ status: 400, body: details({ errorCode: 'INVALID_ARGUMENT' }) });
    expect(await sendTo(sender, token)).toEqual({ kind: 'dead' });
    peer.answer = () => ({ status: 401, body: details({ errorCode: 'THIRD_PARTY_AUTH_ERROR' }) });
    expect(await sendTo(sender, token)).toEqual({ kind: 'dead' });
    // The server's own sign-in is valid.
    peer.answer = () => null;
    expect(await sendTo(sender, token)).toEqual({ kind: 'sent' });
    expect(peer.signIns).toBe(1);
    const violations = [{ field: 'message.android.ttl', description: 'Invalid' }];
    peer.answer = () => ({
      status: 400,
      body: details({ errorCode: 'INVALID_ARGUMENT' }, { fieldViolations: violations }),
    });
    expect(await sendTo(sender, token)).toEqual({ kind: 'refused' });
  });

  test('a missing project does not mark devices as dead', async () => {
    peer.answer = () => ({ status: 404, body: { error: { status: 'NOT_FOUND' } } });
    expect(await sendTo(sender, token)).toMatchObject({ kind: 'later', isAll: true });
    peer.answer = () => ({ status: 400, body: { error: { status: 'INVALID_ARGUMENT' } } });
    expect(await sendTo(sender, token)).toEqual({ kind: 'refused' });
  });

  test('rate limits and server errors are retried after the requested wait', async () => {
    peer.answer = () => ({ status: 429, headers: { 'retry-after': '75' } });
    expect(await sendTo(sender, token)).toEqual({ kind: 'later', retryAfterMs: 75_000, isAll: true });
    peer.answer = () => ({ status: 503 });
    expect(await sendTo(sender, token)).toEqual({ kind: 'later', retryAfterMs: null, isAll: true });
    peer.signInAnswer = { status: 503, headers: { 'retry-after': '9' } };
    const other = createFcmSender(peer.config);
    expect(await sendTo(other, token)).toEqual({ kind: 'later', retryAfterMs: 9_000, isAll: true });
    peer.signInAnswer = null;
    expect(await sendTo(other, token)).toMatchObject({ kind: 'later' });
  });

  test('an unreachable server or an invalid response is retried later', async () => {
    const gone = createFcmSender({ ...peer.config, tokenUri: 'http://127.0.0.1:1/token' });
    expect(await sendTo(gone, token)).toEqual({ kind: 'later', retryAfterMs: null, isAll: true });
    peer.signInAnswer = { status: 200, body: 'no token' };
    expect(await sendTo(createFcmSender(peer.config), token)).toMatchObject({ kind: 'later' });
  });
});

describe('Apple Push Notification service', () => {
  let peer: ApnsPeer;
  let sender: PushSender;
  let nowMs = Date.now();
  const token = randomBytes(32).toString('hex');
  beforeAll(async () => {
    peer = await startApnsPeer();
  });
  afterAll(() => peer.close());
  beforeEach(() => {
    sender?.close();
    peer.taken.length = 0;
    peer.connections = 0;
    peer.bearers.clear();
    peer.answer = () => null;
    nowMs = Date.now();
    peer.now = () => nowMs;
    sender = createApnsSender({ ...peer.config, ca: peer.ca, now: () => nowMs });
  });
  afterAll(() => sender.close());

  test('a message names the app’s texts, and its notification carries the message id', async () => {
    expect(await sendTo(sender, token)).toEqual({ kind: 'sent' });
    const [one] = peer.taken;
    expect(one?.token).toBe(token);
    expect(one?.payload).toEqual({
      aps: {
        alert: { 'title-loc-key': 'push_title', 'loc-key': 'push_mail' },
        sound: 'default',
        badge: 3,
        'thread-id': 'mail',
        'mutable-content': 1,
      },
      type: 'mail',
      id: MAIL.id,
    });
    expect(one?.headers).toMatchObject({
      'apns-push-type': 'alert',
      'apns-priority': '10',
      'apns-collapse-id': MAIL.id,
      'apns-expiration': String(Math.floor(nowMs / 1000) + 86_400),
    });
  });

  test('a push that removes a notification arrives in the background', async () => {
    await sendTo(sender, token, READ);
    expect(peer.taken[0]?.payload).toEqual({
      aps: { 'content-available': 1 },
      type: 'read',
      badge: 2,
      id: MAIL.id,
    });
    expect(peer.taken[0]?.headers).toMatchObject({ 'apns-push-type': 'background', 'apns-priority': '5' });
  });

  test('messages share one connection and one provider token, which is renewed within an hour', async () => {
    await Promise.all([1, 2, 3].map(() => sendTo(sender, token)));
    nowMs += 49 * 60_000;
    await sendTo(sender, token);
    expect([peer.connections, peer.bearers.size]).toEqual([1, 1]);
    nowMs += 2 * 60_000;
    expect(await sendTo(sender, token)).toEqual({ kind: 'sent' });
    expect([peer.connections, peer.bearers.size]).toEqual([1, 2]);
  });

  test('a token that Apple does not know is dead', async () => {
    const reasons = [
      [410, 'Unregistered'],
      [400, 'BadDeviceToken'],
      [400, 'DeviceTokenNotForTopic'],
    ] as const;
    for (const [status, reason] of reasons) {
      peer.answer = () => ({ status, body: { reason, timestamp: 1 } });
      expect(await sendTo(sender, token), reason).toEqual({ kind: 'dead' });
    }
    peer.answer = () => ({ status: 400, body: { reason: 'PayloadEmpty' } });
    expect(await sendTo(sender, token)).toEqual({ kind: 'refused' });
  });

  test('a rate limit stops one device; server errors and a refused key stop all', async () => {
    peer.answer = () => ({
      status: 429,
      body: { reason: 'TooManyRequests' },
      headers: { 'retry-after': '30' },
    });
    expect(await sendTo(sender, token)).toEqual({ kind: 'later', retryAfterMs: 30_000, isAll: false });
    peer.answer = () => ({ status: 429, body: { reason: 'TooManyProviderTokenUpdates' } });
    expect(await sendTo(sender, token)).toEqual({ kind: 'later', retryAfterMs: null, isAll: true });
    peer.answer = () => ({ status: 503, body: { reason: 'Shutdown' } });
    expect(await sendTo(sender, token)).toEqual({ kind: 'later', retryAfterMs: null, isAll: true });
    peer.answer = () => null;
    const stranger = createApnsSender({ ...peer.config, keyId: 'OTHER12345', ca: peer.ca });
    expect(await sendTo(stranger, token)).toEqual({ kind: 'later', retryAfterMs: null, isAll: true });
    stranger.close();
  });

  test('an expired provider token is replaced', async () => {
    peer.answer = () => ({ status: 403, body: { reason: 'ExpiredProviderToken' } });
    expect(await sendTo(sender, token)).toMatchObject({ kind: 'later', isAll: true });
    peer.answer = () => null;
    nowMs -= 1_000;
    expect(await sendTo(sender, token)).toEqual({ kind: 'sent' });
    expect(peer.bearers.size).toBe(2);
  });

  test('a connection that the peer closes is replaced', async () => {
    await sendTo(sender, token);
    peer.leave();
    await expect.poll(() => sendTo(sender, token)).toEqual({ kind: 'sent' });
    await expect.poll(() => peer.connections).toBeGreaterThan(1);
  });

  test('an untrusted certificate or a missing response is retried later', async () => {
    const strict = createApnsSender(peer.config);
    expect(await sendTo(strict, token)).toEqual({ kind: 'later', retryAfterMs: null, isAll: true });
    strict.close();
    await sendTo(sender, token);
    const hurried = AbortSignal.abort();
    expect(await sendTo(sender, token, MAIL, hurried)).toEqual({
      kind: 'later',
      retryAfterMs: null,
      isAll: true,
    });
    expect(await sendTo(sender, token)).toEqual({ kind: 'sent' });
  });
});

describe('the test helper that decrypts Web Push', () => {
  test('opens the example of RFC 8291, appendix A', () => {
    const ecdh = createECDH('prime256v1');
    ecdh.setPrivateKey(Buffer.from('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94', 'base64url'));
    const auth = Buffer.from('BTBZMqHH6r4Tts7J_aSIgg', 'base64url');
    const body = Buffer.from(
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
      'base64url',
    );
    expect(openPush({ ecdh, auth }, body).toString()).toBe('When I grow up, I want to be a watermelon');
  });
});

describe('Web Push and UnifiedPush', () => {
  let web: TestWeb;
  let keys: VapidKeys;
  let sender: PushSender;
  const heads: Record<string, string | string[] | undefined>[] = [];
  const bodies: Buffer[] = [];
  beforeAll(async () => {
    web = await startTestWeb();
    const ecdh = createECDH('prime256v1');
    ecdh.generateKeys();
    keys = {
      subject: 'mailto:postmaster@keyfold.test',
      publicKey: ecdh.getPublicKey().toString('base64url'),
      privateKey: ecdh.getPrivateKey().toString('base64url'),
    };
    sender = createWebPushSender(web, async () => keys);
  });
  afterAll(() => web.close());
  beforeEach(() => {
    heads.length = 0;
    bodies.length = 0;
    web.connected.length = 0;
    web.names['push.site.test'] = ['93.184.216.36'];
    answer(201);
  });
  const answer = (status: number, headers: Record<string, string> = {}) => {
    web.handle = (request, response) => {
      heads.push({ ...request.headers, ':path': request.url, ':method': request.method });
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => void pieces.push(piece));
      request.on('end', () => {
        bodies.push(Buffer.concat(pieces));
        response.writeHead(status, headers).end('whatever it says');
      });
    };
  };
  const device = pushSubscription('https://push.site.test/p/abc?x=1');

  test('only the device can decrypt a message, and its length reveals nothing', async () => {
    expect(await sendTo(sender, device.token)).toEqual({ kind: 'sent' });
    expect(await sendTo(sender, device.token, SUMMARY)).toEqual({ kind: 'sent' });
    const [first, second] = bodies.map(body => JSON.parse(openPush(device, body).toString()));
    expect(first).toEqual({ type: 'mail', id: MAIL.id, badge: 3 });
    expect(second).toEqual({ type: 'summary', badge: 40 });
    expect(bodies[0]?.length).toBe(bodies[1]?.length);
    const stranger = pushSubscription('https://push.site.test/p/abc');
    expect(() => openPush(stranger, bodies[0] as Buffer)).toThrow();
  });

  test('the headers follow RFC 8030 and RFC 8292', async () => {
    await sendTo(sender, device.token);
    await sendTo(sender, device.token, READ);
    expect(heads[0]).toMatchObject({
      ':method': 'POST',
      ':path': '/p/abc?x=1',
      host: 'push.site.test',
      ttl: '86400',
      urgency: 'high',
      'content-encoding': 'aes128gcm',
    });
    expect(heads[1]).toMatchObject({ urgency: 'low' });
    const [, jwt = '', key] = /^vapid t=(\S+), k=(\S+)$/.exec(String(heads[0]?.authorization)) ?? [];
    expect(key).toBe(keys.publicKey);
    const point = Buffer.from(keys.publicKey, 'base64url');
    const jwk = await importJWK(
      {
        kty: 'EC',
        crv: 'P-256',
        x: point.subarray(1, 33).toString('base64url'),
        y: point.subarray(33).toString('base64url'),
      },
      'ES256',
    );
    const { payload } = await jwtVerify(jwt, jwk, { audience: 'https://push.site.test' });
    expect(payload.sub).toBe('mailto:postmaster@keyfold.test');
  });

  test('the topic is stable per name and device and reveals nothing else', async () => {
    const other = pushSubscription('https://push.site.test/p/def');
    for (const message of [MAIL, READ, SUMMARY]) await sendTo(sender, device.token, message);
    await sendTo(sender, other.token);
    const [mail, read, summary, elsewhere] = heads.map(head => String(head.topic));
    for (const topic of [mail, read, summary, elsewhere]) {
      expect(topic).toMatch(/^[A-Za-z0-9_-]{32}$/);
      expect(topic).not.toContain(MAIL.id?.replaceAll('-', '').slice(0, 8));
    }
    // A push that removes a notification replaces the pending push that would have shown it.
    expect(read).toBe(mail);
    expect(new Set([mail, summary, elsewhere]).size).toBe(3);
  });

  test('an expired subscription is dead; refusals and waits are distinguished', async () => {
    for (const status of [404, 410]) {
      answer(status);
      expect(await sendTo(sender, device.token), String(status)).toEqual({ kind: 'dead' });
    }
    for (const status of [400, 401, 403, 413]) {
      answer(status);
      expect(await sendTo(sender, device.token), String(status)).toEqual({ kind: 'refused' });
    }
    answer(429, { 'retry-after': '33' });
    expect(await sendTo(sender, device.token)).toEqual({ kind: 'later', retryAfterMs: 33_000, isAll: false });
    answer(502);
    expect(await sendTo(sender, device.token)).toEqual({ kind: 'later', retryAfterMs: null, isAll: false });
  });

  test('an address that resolves to the local network is not contacted', async () => {
    web.names['push.site.test'] = ['10.0.0.5'];
    expect(await sendTo(sender, device.token)).toMatchObject({ kind: 'later' });
    web.names['push.site.test'] = ['93.184.216.36', '127.0.0.1'];
    expect(await sendTo(sender, device.token)).toMatchObject({ kind: 'later' });
    expect(web.connected).toEqual([]);
  });

  test('redirects are not followed', async () => {
    answer(307, { location: 'https://push.site.test/other' });
    expect(await sendTo(sender, device.token)).toMatchObject({ kind: 'later' });
    expect(heads).toHaveLength(1);
  });

  test('malformed or non-public subscriptions are rejected', () => {
    const { endpoint, keys: good } = JSON.parse(device.token);
    expect(findSubscription(device.token)).not.toBe(null);
    const bad = [
      'x',
      '{}',
      JSON.stringify({ endpoint }),
      JSON.stringify({ endpoint, keys: { ...good, auth: 'AA' } }),
      // A point that is not on the curve.
      JSON.stringify({ endpoint, keys: { ...good, p256dh: `B${'A'.repeat(86)}` } }),
      ...[
        'http://push.site.test/p',
        'https://push.site.test:8443/p',
        'https://user@push.site.test/p',
        'https://127.0.0.1/p',
        'https://[::1]/p',
        'https://192.168.1.5/p',
        'https://ntfy.lan/p',
        'https://localhost/p',
        'https://push.site.test/a b',
        `https://push.site.test/${'x'.repeat(2_100)}`,
      ].map(url => JSON.stringify({ endpoint: url, keys: good })),
    ];
    for (const token of bad) expect(findSubscription(token), token.slice(0, 60)).toBe(null);
  });
});
