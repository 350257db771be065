import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { ConfigError } from './config-error.ts';
import { serverUrls } from './database-url.ts';

const PEM = { type: 'pkcs8', format: 'pem' } as const;

function problemOf(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'accepted';
}

test('an empty environment yields the documented defaults', () => {
  expect(readConfig({})).toMatchObject({
    httpPort: 8000,
    httpHost: '127.0.0.1',
    smtpPort: 2525,
    smtpHost: undefined,
    domains: ['keyfold.test'],
    signupDomains: undefined,
    isInvitationNeeded: false,
    signupsPerHour: 2000,
    isWelcomeSent: true,
    hostname: 'mail.keyfold.test',
    publicUrl: 'http://localhost:8000',
    databaseUrl: undefined,
    s3: undefined,
    smtpRelay: undefined,
    isDaneUsed: true,
    isGreylistOn: false,
    isDmarcReported: true,
    isOutgoingScanned: false,
    arrivalsPerMinute: 600,
    mailGateways: ['127.0.0.0/8', '::1'],
    dnsServers: [],
    roles: ['http', 'smtp', 'worker'],
    trustedProxies: [],
    tlsFiles: undefined,
    mxNames: ['mail.keyfold.test'],
    mtaSts: 'none',
  });
});

test('an unknown setting stops the start and suggests the closest known one', () => {
  expect(problemOf({ KEYFOLD_DOMAIN: 'example.org' })).toBe(
    'KEYFOLD_DOMAIN: unknown setting; did you mean KEYFOLD_DOMAINS?',
  );
  expect(problemOf({ KEYFOLD_SIGNUP_PER_HOUR: '' })).toBe(
    'KEYFOLD_SIGNUP_PER_HOUR: unknown setting; did you mean KEYFOLD_SIGNUPS_PER_HOUR?',
  );
  expect(problemOf({ KEYFOLD_SOMETHING_ELSE_ENTIRELY: '1' })).toBe(
    'KEYFOLD_SOMETHING_ELSE_ENTIRELY: unknown setting',
  );
  expect(problemOf({ KEYFOLD_HOSTS: 'x', KEYFOLD_ROLE: 'y', PORT: 'z' }).split('\n')).toEqual([
    'KEYFOLD_HOSTS: unknown setting; did you mean KEYFOLD_HOST?',
    'KEYFOLD_ROLE: unknown setting; did you mean KEYFOLD_ROLES?',
    'PORT: must be a port between 0 and 65535',
  ]);
  // Variables of other programs in the environment are ignored, and so are those of this
  // repository's test runners.
  expect(problemOf({ HOME: '/', KEYFOLD: '1', KEYFOLD_E2E_KILL_MS: '1' })).toBe('accepted');
});

test('empty KEYFOLD_DOMAINS stops the start, other empty settings use the default', () => {
  expect(problemOf({ KEYFOLD_DOMAINS: '' })).toBe('KEYFOLD_DOMAINS: must not be empty');
  expect(problemOf({ KEYFOLD_DOMAINS: ' , ' })).toBe('KEYFOLD_DOMAINS: must be a comma list of domain names');
  expect(readConfig({ KEYFOLD_HOST: '', KEYFOLD_LOG: '' })).toMatchObject({
    httpHost: '127.0.0.1',
    logLevel: 'info',
  });
});

test('payments require both secrets and a trusted API address', () => {
  const keys = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' };
  expect(readConfig(keys).stripe).toEqual({
    secretKey: 'sk_test_1',
    webhookSecret: 'whsec_1',
    apiBase: 'https://api.stripe.com',
  });
  expect(readConfig({ ...keys, STRIPE_API_BASE: 'http://127.0.0.1:4242/' }).stripe?.apiBase).toBe(
    'http://127.0.0.1:4242',
  );
  expect(readConfig({}).stripe).toBeUndefined();
  expect(problemOf({ STRIPE_SECRET_KEY: keys.STRIPE_SECRET_KEY })).toBe(
    'STRIPE_SECRET_KEY: requires STRIPE_WEBHOOK_SECRET',
  );
  expect(problemOf({ STRIPE_WEBHOOK_SECRET: keys.STRIPE_WEBHOOK_SECRET })).toBe(
    'STRIPE_WEBHOOK_SECRET: requires STRIPE_SECRET_KEY',
  );
  for (const base of [
    'http://api.example',
    'https://api.example/v1',
    'https://a:b@api.example',
    'api.example',
  ])
    expect(problemOf({ ...keys, STRIPE_API_BASE: base }), base).toBe(
      'STRIPE_API_BASE: must be https:// and a host without a path, or http:// on this machine',
    );
  expect(problemOf({ ...keys, STRIPE_SECRET_KEY: 'pk_live_1' })).not.toContain('pk_live_1');
  expect(problemOf({ ...keys, STRIPE_WEBHOOK_SECRET: 'secret' })).toMatch(/^STRIPE_WEBHOOK_SECRET: must be/);
});

test('push services are off without keys, and invalid keys are reported', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export(PEM).toString();
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export(PEM).toString();
  const account = {
    type: 'service_account',
    project_id: 'kf',
    client_email: 'push@kf.example',
    private_key: rsa,
    token_uri: 'https://oauth2.example/token',
  };
  expect(readConfig({}).push).toEqual({
    fcm: undefined,
    apns: undefined,
    isWebOn: true,
    vapid: { subject: 'mailto:postmaster@keyfold.test', keys: undefined },
  });
  const inline = readConfig({ FCM_CREDENTIALS: JSON.stringify(account), KEYFOLD_WEB_PUSH: 'false' }).push;
  expect(inline.fcm).toMatchObject({ projectId: 'kf', apiBase: 'https://fcm.googleapis.com' });
  expect(inline.isWebOn).toBe(false);
  for (const bad of ['{}', '/nowhere/key.json', JSON.stringify({ ...account, private_key: ec })])
    expect(problemOf({ FCM_CREDENTIALS: bad })).toMatch(/^FCM_CREDENTIALS: /);
  expect(
    problemOf({ FCM_CREDENTIALS: JSON.stringify({ ...account, token_uri: 'http://x.example/' }) }),
  ).not.toContain('PRIVATE KEY');
  const dir = mkdtempSync(path.join(os.tmpdir(), 'kf-config-'));
  const [good, wrong] = [path.join(dir, 'ec.p8'), path.join(dir, 'rsa.p8')];
  writeFileSync(good, ec);
  writeFileSync(wrong, rsa);
  const apple = { APNS_KEY_ID: 'ABCDE12345', APNS_TEAM_ID: 'TEAM123456', APNS_TOPIC: 'org.example.app' };
  expect(readConfig({ ...apple, APNS_KEY_FILE: good }).push.apns).toMatchObject({
    topic: 'org.example.app',
    apiBase: 'https://api.push.apple.com',
  });
  expect(problemOf({ ...apple, APNS_KEY_FILE: wrong })).toMatch(/^APNS_KEY_FILE: must contain/);
  expect(problemOf(apple)).toMatch(/^APNS_KEY_FILE: requires/);
  expect(problemOf({ VAPID_PUBLIC_KEY: `B${'A'.repeat(86)}` })).toMatch(/^VAPID_PUBLIC_KEY: requires/);
  rmSync(dir, { recursive: true });
});

test('an empty value counts as unset', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '', SMTP_RELAY: '' })).toEqual(readConfig({}));
});

test('values are read as docs/configuration.md describes them', () => {
  expect(
    readConfig({
      PORT: '9000',
      KEYFOLD_DOMAINS: 'Example.org, mail.example.net',
      KEYFOLD_SIGNUP_DOMAINS: 'Mail.example.net',
      KEYFOLD_SIGNUP: 'invitation',
      KEYFOLD_URL: 'https://mail.example.org/',
      DNS_SERVERS: '127.0.0.1:53,[::1]:5353',
      KEYFOLD_ROLES: 'http, worker',
      SMTP_RELAY: 'smtp://user:secret@relay.example:587',
      S3_ENDPOINT: 'https://s3.example',
      S3_BUCKET: 'b',
      S3_ACCESS_KEY: 'a',
      S3_SECRET_KEY: 's',
      KEYFOLD_TRUSTED_PROXIES: '172.18.0.0/16, 10.0.0.7, fd00::/8',
      KEYFOLD_ANDROID_APPS: `app.keyfold.mail=${'ab:'.repeat(31)}cd, app.keyfold.mail=${'00:'.repeat(31)}01`,
      KEYFOLD_IOS_APPS: 'A1B2C3D4E5.app.keyfold.mail',
      KEYFOLD_IMAP_PORTS: '993, 1143',
      KEYFOLD_DANE: 'false',
      KEYFOLD_GREYLISTING: 'true',
      KEYFOLD_DMARC_REPORTS: 'false',
      KEYFOLD_FORWARD: 'Abuse = Ops@Elsewhere.example, postmaster=ops@elsewhere.example',
      KEYFOLD_ARRIVALS_PER_MINUTE: '0',
      KEYFOLD_MAIL_GATEWAYS: '10.1.0.0/16, fd00::1',
    }),
  ).toMatchObject({
    httpPort: 9000,
    domains: ['example.org', 'mail.example.net'],
    signupDomains: ['mail.example.net'],
    isInvitationNeeded: true,
    hostname: 'mail.example.org',
    publicUrl: 'https://mail.example.org',
    dnsServers: ['127.0.0.1:53', '[::1]:5353'],
    roles: ['http', 'worker'],
    trustedProxies: ['172.18.0.0/16', '10.0.0.7', 'fd00::/8'],
    androidApps: [
      {
        id: 'app.keyfold.mail',
        fingerprints: [`${'AB:'.repeat(31)}CD`, `${'00:'.repeat(31)}01`],
      },
    ],
    iosApps: ['A1B2C3D4E5.app.keyfold.mail'],
    imapPorts: [993, 1143],
    isPrivateImapAllowed: false,
    isDaneUsed: false,
    isGreylistOn: true,
    isDmarcReported: false,
    forwards: [
      { role: 'abuse', target: 'ops@elsewhere.example' },
      { role: 'postmaster', target: 'ops@elsewhere.example' },
    ],
    arrivalsPerMinute: 0,
    mailGateways: ['10.1.0.0/16', 'fd00::1'],
    s3: { endpoint: 'https://s3.example', bucket: 'b', region: 'us-east-1' },
  });
});

describe('an invalid value is reported in one line that names the setting', () => {
  test.each([
    ['PORT', 'http'],
    ['PORT', '70000'],
    ['PORT', '-1'],
    ['SMTP_PORT', '2525.5'],
    ['KEYFOLD_IMAP_PORTS', '993,0'],
    ['KEYFOLD_ALLOW_PRIVATE_IMAP', 'yes'],
    ['KEYFOLD_DANE', 'maybe'],
    ['KEYFOLD_GREYLISTING', 'yes'],
    ['KEYFOLD_DMARC_REPORTS', 'daily'],
    ['KEYFOLD_FORWARD', 'abuse'],
    ['KEYFOLD_FORWARD', 'abuse=ops'],
    ['KEYFOLD_FORWARD', 'ann=ops@example.org'],
    ['KEYFOLD_FORWARD', 'abuse=a@example.org,abuse=b@example.org'],
    ['KEYFOLD_FORWARD', 'abuse=ops@keyfold.test'],
    ['KEYFOLD_FORWARD', 'abuse=ops@mail.keyfold.test'],
    ['KEYFOLD_FORWARD', 'abuse=ops@example.org;bob@example.org'],
    ['KEYFOLD_ARRIVALS_PER_MINUTE', '-1'],
    ['KEYFOLD_MAIL_GATEWAYS', '0.0.0.0/0'],
    ['KEYFOLD_MAIL_GATEWAYS', 'gateway.example'],
    ['METRICS_PORT', 'x'],
    ['METRICS_PORT', '8000'],
    ['METRICS_PORT', '2525'],
    ['SMTP_PORT', '8000'],
    ['KEYFOLD_DOMAINS', 'not a domain'],
    ['KEYFOLD_DOMAINS', ','],
    ['KEYFOLD_DOMAINS', 'localhost'],
    ['KEYFOLD_DOMAINS', '10.0.0.1'],
    ['KEYFOLD_SIGNUP_DOMAINS', 'elsewhere.example'],
    ['KEYFOLD_SIGNUP_DOMAINS', ','],
    ['KEYFOLD_SIGNUP', 'closed'],
    ['KEYFOLD_WELCOME', 'yes'],
    ['KEYFOLD_SIGNUPS_PER_HOUR', 'many'],
    ['KEYFOLD_HOSTNAME', 'bad_host'],
    ['KEYFOLD_HOSTNAME', '10.0.0.1'],
    ['KEYFOLD_MX_NAMES', 'mx.a.1'],
    ['KEYFOLD_URL', 'mail.example.org'],
    ['KEYFOLD_URL', 'ftp://mail.example.org'],
    ['KEYFOLD_URL', 'https://mail.example.org/x'],
    ['KEYFOLD_URL', 'https://mail.example.org/?x=1'],
    ['KEYFOLD_URL', 'https://mail.example.org/#y'],
    ['KEYFOLD_URL', 'https://u:p@mail.example.org'],
    ['DATABASE_URL', 'mysql://x'],
    ['DATABASE_URL', 'postgres://one:5432,two:x/d'],
    ['S3_ENDPOINT', 's3.example'],
    ['SMTP_RELAY', 'relay.example:25'],
    ['DNS_SERVERS', '127.0.0.1'],
    ['KEYFOLD_ROLES', 'http,imap'],
    ['KEYFOLD_ROLES', ' , '],
    ['KEYFOLD_CAPTCHA_COST', 'high'],
    ['KEYFOLD_LOG', 'loud'],
    ['KEYFOLD_ANDROID_APPS', 'app.keyfold.mail'],
    ['KEYFOLD_ANDROID_APPS', 'app.keyfold.mail=AB:CD'],
    ['KEYFOLD_IOS_APPS', 'app.keyfold.mail'],
    ['METRICS_HOST', 'localhost'],
    ['KEYFOLD_TRUSTED_PROXIES', 'proxy.example'],
    ['KEYFOLD_TRUSTED_PROXIES', '10.0.0.1/33'],
    ['KEYFOLD_TRUSTED_PROXIES', '0.0.0.0/0'],
    ['KEYFOLD_TRUSTED_PROXIES', '10.0.0.0/8/8'],
  ])('%s=%s', (name, value) => {
    const problem = problemOf({ [name]: value });
    expect(problem.split('\n')).toHaveLength(1);
    expect(problem.startsWith(`${name}: `)).toBe(true);
  });

  test('related S3, archive and TLS settings must be set together', () => {
    expect(problemOf({ S3_BUCKET: 'b' })).toMatch(/^S3_ENDPOINT: requires /);
    expect(problemOf({ KEYFOLD_MOVE_FILES: 'true' })).toMatch(/^KEYFOLD_MOVE_FILES: requires /);
    expect(problemOf({ KEYFOLD_WAL_ARCHIVE: '/a', DATABASE_URL: 'postgres://h/d' })).toMatch(
      /^KEYFOLD_WAL_ARCHIVE: works only with/,
    );
    for (const path of ['relative', "/a'b", '/a%b', '/a$(b)'])
      expect(problemOf({ KEYFOLD_WAL_ARCHIVE: path })).toMatch(/^KEYFOLD_WAL_ARCHIVE: must be /);
    expect(problemOf({ TLS_CERT_FILE: '/x' })).toMatch(/^TLS_CERT_FILE: requires /);
    expect(problemOf({ TLS_KEY_FILE: '/x' })).toMatch(/^TLS_KEY_FILE: requires /);
    expect(problemOf({ TLS_CERT_FILE: '/x/y', TLS_KEY_FILE: '/x/z' })).toBe('TLS_CERT_FILE: file not found');
  });

  test('several mistakes are reported on one line each, without repeating any value', () => {
    const problem = problemOf({ PORT: 'x', SMTP_RELAY: 'user:secret@relay', DATABASE_URL: 'secret' });
    expect(problem.split('\n').map(line => line.split(':')[0])).toEqual([
      'PORT',
      'DATABASE_URL',
      'SMTP_RELAY',
    ]);
    expect(problem).not.toContain('secret');
  });
});

test('a database URL with several servers yields one address for each', () => {
  const url = 'postgres://keyfold:p%40ss@one:5432,[::1]:5433,three/keyfold?sslmode=require';
  expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
  expect(serverUrls(url)).toEqual([
    'postgres://keyfold:p%40ss@one:5432/keyfold?sslmode=require',
    'postgres://keyfold:p%40ss@[::1]:5433/keyfold?sslmode=require',
    'postgres://keyfold:p%40ss@three/keyfold?sslmode=require',
  ]);
  expect(serverUrls('postgres://keyfold@localhost/d?host=%2Ftmp')).toEqual([
    'postgres://keyfold@localhost/d?host=%2Ftmp',
  ]);
});

test('the contact for security reports is the postmaster unless the operator names another', () => {
  expect(readConfig({ KEYFOLD_DOMAINS: 'own.test,two.test' }).securityContact).toBe(
    'mailto:postmaster@own.test',
  );
  const url = 'https://own.test/report';
  expect(readConfig({ KEYFOLD_SECURITY_CONTACT: url }).securityContact).toBe(url);
  for (const wrong of ['security@own.test', 'http://own.test', 'mailto:a@b\nExpires: never'])
    expect(() => readConfig({ KEYFOLD_SECURITY_CONTACT: wrong })).toThrow(
      /^KEYFOLD_SECURITY_CONTACT: must be/,
    );
});
