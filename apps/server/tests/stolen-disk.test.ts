// A stolen disk (SECURITY.md, P3; docs/reliability.md#goals): after every kind of mail, imports and
// users' own data, no word of them, no key and no secret that opens an account is found in the
// data, the WAL and its archive, backups, the log or temporary files. Data stored in plain text by
// design has no canary here: addresses and the names beside them in From, To and Cc of mail from
// outside, Message-IDs, times and sizes, tag names, and account names.
import { spawn } from 'node:child_process';
import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createFileKey, sealWholeAttachment } from '@keyfold/crypto/attachment';
import { createMessageKey, encodeBase64, sealMessage, wrapForSelf } from '@keyfold/crypto/message';
import { composeMessage } from '@keyfold/mail/mime/compose';
import { makeCertificate } from '@keyfold/testing/certificate';
import { type ImapServer, startImapServer } from '@keyfold/testing/imap';
import { createProduct, type Product } from '@keyfold/testing/product';
import { writePst } from '@keyfold/testing/pst-file';
import { asData, connectSmtp, deliver, type SmtpSink, startSmtpSink } from '@keyfold/testing/smtp';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onDatabase } from './crash/storage.ts';
import { createTestClient } from './harness/client.ts';
import { turnTotpOn } from './harness/second-factor.ts';
import { sealTestMessage } from './harness/sending.ts';
import { registerTestUser, selfOf, type TestUser } from './harness/users.ts';
import { findInText, findOnDisk, type Word } from './stolen-disk/needles.ts';

const LONG = 60_000;

/**
 * Part of every canary, so that one search finds them all; the text after it identifies the canary.
 */
const MARK = Array.from(randomBytes(20), byte => 'bcdfghjklmnpqrst'[byte & 15]).join('');
let made = 0;
const canary = (what: string): string => `${MARK}${++made}${what}`;
/** Longer than the text kept inline in a body, or uncompressed in a database page. */
const long = (what: string): string => `${canary(what)} `.repeat(Math.ceil(LONG / 40));

let root: string;
let product: Product;
let outside: SmtpSink;
let provider: ImapServer;
let ann: TestUser;
let ben: TestUser;

const inRoot = (name: string): string => path.join(root, name);
const say = (text: string): boolean => process.stdout.write(`stolen disk: ${text}\n`);

async function admin(...args: string[]): Promise<void> {
  const file = path.resolve(import.meta.dirname, '../src/admin.ts');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file, ...args], {
    env: {
      PATH: process.env.PATH,
      HOME: os.tmpdir(),
      TMPDIR: inRoot('tmp'),
      KEYFOLD_DATA: product.dataDir,
      METRICS_PORT: '0',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  expect(await new Promise(resolve => child.once('close', resolve))).toBe(0);
}

beforeAll(async () => {
  root = mkdtempSync(path.join(os.tmpdir(), 'kf-stolen-'));
  mkdirSync(inRoot('tmp'));
  const keys = await makeCertificate(['127.0.0.1']);
  writeFileSync(inRoot('authority.pem'), keys.cert);
  provider = await startImapServer(keys);
  outside = await startSmtpSink();
  product = await createProduct({
    KEYFOLD_CAPTCHA_COST: '0',
    KEYFOLD_WELCOME: 'off',
    KEYFOLD_LOG: 'debug',
    KEYFOLD_SEND_WATCH: 'false',
    KEYFOLD_WAL_ARCHIVE: inRoot('archive'),
    KEYFOLD_IMAP_PORTS: String(provider.port),
    KEYFOLD_ALLOW_PRIVATE_IMAP: 'true',
    NODE_EXTRA_CA_CERTS: inRoot('authority.pem'),
    SMTP_RELAY: `smtp://127.0.0.1:${outside.port}`,
    TMPDIR: inRoot('tmp'),
  });
  await product.start();
  const place = { config: { domains: ['keyfold.test'] }, client: () => createTestClient(product.baseUrl) };
  ann = await registerTestUser(place, { keepSignedIn: true });
  ben = await registerTestUser(place);
}, 60_000);
afterAll(async () => {
  await product?.remove();
  await provider?.close();
  await outside?.close();
  rmSync(root, { recursive: true, force: true });
});

const multipart = (...parts: readonly string[]): string =>
  [
    'From: Gus <gus@outside.test>',
    `To: ${ann.email}`,
    `Subject: ${canary('subject')}`,
    `Message-ID: <${randomBytes(8).toString('hex')}@outside.test>`,
    'Date: Sat, 21 Nov 2026 10:00:00 +0000',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="edge"',
    '',
    ...parts.map(part => `--edge\r\n${part}\r\n`),
    '--edge--',
    '',
  ].join('\r\n');

const textPart = (text: string): string => `Content-Type: text/plain; charset=utf-8\r\n\r\n${text}`;
const filePart = (name: string, bytes: Uint8Array): string =>
  `Content-Type: application/pdf; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${(
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,76}/g) ?? []
  ).join('\r\n')}`;

/**
 * Mail from outside: small and large files, an invitation, an interrupted message, and one for an
 * unknown recipient.
 */
async function comeIn(): Promise<void> {
  const large = filePart(`${canary('name')}.pdf`, Buffer.from(long('large file')));
  const small = filePart(`${canary('name')}.txt`, Buffer.from(canary('small file')));
  const invitation = [
    'Content-Type: text/calendar; method=REQUEST; charset=utf-8',
    '',
    'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//y//EN\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nUID:one@outside.test',
    `DTSTAMP:20261121T100000Z\r\nDTSTART:20261201T100000Z\r\nSUMMARY:${canary('event')}\r\nLOCATION:${canary('place')}`,
    'ORGANIZER:mailto:gus@outside.test\r\nEND:VEVENT\r\nEND:VCALENDAR',
  ].join('\r\n');
  const client = await connectSmtp(product.smtpPort);
  await client.reply();
  await client.command('EHLO mx.outside.test');
  const raws = [
    multipart(textPart(canary('body')), large, small),
    multipart(textPart(long('long body')), invitation),
  ];
  for (const raw of raws)
    expect(
      await deliver(client, { from: 'gus@outside.test', to: [ann.email, ben.email], raw: Buffer.from(raw) }),
    ).toMatch(/^250/);
  // The address does not exist, and the data sent anyway is discarded.
  await client.command('MAIL FROM:<gus@outside.test>');
  expect(await client.command(`RCPT TO:<${MARK.slice(0, 4)}@keyfold.test>`)).toMatch(/^550/);
  await client.command('RSET');
  await client.command('MAIL FROM:<gus@outside.test>');
  await client.command(`RCPT TO:<${ann.email}>`);
  await client.command('DATA');
  const half = asData(Buffer.from(multipart(textPart(long('half a mail')), large)));
  client.send(half.subarray(0, half.length - 100));
  await new Promise(resolve => setTimeout(resolve, 300));
  client.destroy();
}

async function emptyDraft(messageKey: Uint8Array): Promise<string> {
  const wrap = await wrapForSelf(messageKey, createHash('sha256').update('').digest(), selfOf(ann));
  const { data } = await ann.client.sending.empty({
    key_used: wrap.key_used,
    encrypted_key: wrap.second_stage_key_encrypted,
    salt: wrap.salt,
  });
  return data.draft_id;
}

/** Sends a message with a file to a user and to outside recipients. Returns its message key. */
async function goOut(to: readonly (TestUser | string)[]): Promise<Uint8Array> {
  const [messageKey, fileKey] = [createMessageKey(), createFileKey()];
  const draft_id = await emptyDraft(messageKey);
  const bytes = Buffer.from(long('sent file'));
  const meta = { name: `${canary('sent name')}.pdf`, type: 'application/pdf', size: bytes.length };
  const container = Buffer.from(await sealWholeAttachment({ messageKey, fileKey, meta, bytes }));
  const { data } = await ann.client.sending.upload({ draft_id }, { file: new Blob([container]) });
  const subject = canary('sent subject');
  const payload = composeMessage({
    from: { name: ann.user.name, address: ann.email },
    to: to.map(one => ({ name: '', address: typeof one === 'string' ? one : one.email })),
    subject,
    date: new Date(),
    messageId: '<inner@client.invalid>',
    text: canary('sent body'),
    files: [
      {
        filename: meta.name,
        mimeType: meta.type,
        content: { id: data.id, key: encodeBase64(fileKey), sizeBytes: bytes.length },
      },
    ],
  });
  const request = await sealTestMessage(ann, {
    to,
    subject,
    payload,
    messageKey,
    attachments: 1,
    text: canary('snippet'),
  });
  await ann.client.sending.send_private({ ...request, draft_id });
  return messageKey;
}

async function sealedForAnn() {
  const subject = canary('imported subject');
  const sealed = await sealMessage({
    payload: Buffer.from(`Subject: ${subject}\r\n\r\n${long('imported body')}`),
    messageKey: createMessageKey(),
    recipients: [],
    self: selfOf(ann),
    summary: {
      subject,
      from: { name: canary('name'), address: 'gus@outside.test' },
      to: [],
      cc: [],
      date: '2019-01-01T00:00:00.000Z',
      snippet: canary('snippet'),
      attachments: 0,
      invite: false,
    },
  });
  if (sealed.self === null || sealed.summary === null) throw new Error('no own entry');
  return {
    body: sealed.message_encrypted,
    summary: sealed.summary,
    encrypted_key: sealed.self.second_stage_key_encrypted,
    salt: sealed.self.salt,
    key_used: sealed.self.key_used,
  };
}

/** Imports and saves of a browser: encrypted before upload. */
async function saveInBrowser(): Promise<void> {
  const { client, email, identity } = ann;
  await client.imports.seal({
    import_id: 'one',
    messages: [
      {
        ...(await sealedForAnn()),
        headers: `From: Gus <gus@outside.test>\r\nTo: ${email}\r\nMessage-ID: <old@outside.test>\r\n`,
        received_at: '2019-01-01T00:00:00Z',
        flags: {},
      },
    ],
  });
  await client.sending.draft({ used_address: email, ...(await sealedForAnn()) });
  await client.contacts.add_unverified({ email: ben.email });
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', randomBytes(32), iv);
  await client.records.save({
    kind: 'contacts',
    id: 'names',
    version: 0,
    sealed: Buffer.concat([
      iv,
      cipher.update(canary('contact')),
      cipher.final(),
      cipher.getAuthTag(),
    ]).toString('base64'),
    key_used: identity.key_id,
  });
  // Search terms leave no trace either.
  await client.mail.query({ search: Buffer.from(canary('searched')).toString('base64') });
}

const text = (id: number, value: string) => ({ id, type: 'text', value }) as const;

/** Imports by the server: a PST and a mailbox at another provider, both read in memory. */
async function importByServer(user: TestUser): Promise<void> {
  const file = writePst({
    cipher: 'none',
    folders: [
      {
        name: canary('folder'),
        mails: [
          {
            properties: [
              text(0x001a, 'IPM.Note'),
              text(0x0037, canary('PST subject')),
              text(0x0042, 'Gus Grey'),
              text(0x0065, 'gus@outside.test'),
              text(0x1000, long('PST body')),
              text(0x1035, '<pst@outside.test>'),
              { id: 0x0039, type: 'time', value: new Date('2018-02-03T04:05:06Z') },
            ],
            files: [
              {
                properties: [
                  { id: 0x3705, type: 'int', value: 1 },
                  text(0x3707, `${canary('PST name')}.bin`),
                  { id: 0x3701, type: 'binary', value: Buffer.from(long('PST file')) },
                ],
              },
            ],
          },
        ],
      },
    ],
  });
  const raw = multipart(
    textPart(long('IMAP body')),
    filePart(`${canary('IMAP name')}.pdf`, Buffer.from(long('IMAP file'))),
  );
  provider.mailboxes = [{ name: 'INBOX', mails: [{ uid: 1, raw }] }];
  const { server_imports } = user.client;
  const { port, user: login, password } = provider;
  // Folder names become tags only on request, and tag names are plain text.
  const import_options = JSON.stringify({ folders_as_tags: false });
  for (const start of [
    () => server_imports.start_pst({ import_options }, { file: new Blob([file]) }),
    () => server_imports.start_imap({ host: '127.0.0.1', port, security: 'tls', user: login, password }),
  ]) {
    const { data } = await start();
    const status = async () => (await server_imports.status({ id: data.import_id })).data;
    await expect.poll(async () => (await status()).status, { interval: 100 }).toBe('done');
    expect(await status()).toMatchObject({ imported: 1, failed: 0 });
  }
}

const mailsOf = async ({ client }: TestUser): Promise<number> => (await client.mail.query({})).count;

test('no message, key or password is readable on the disk, in the log or in a backup', async () => {
  outside.refuseMessage = ({ to }) => (to.some(one => one.startsWith('bounce')) ? [550, 'No'] : null);
  outside.refuseRecipient = address => (address.startsWith('later') ? [451, 'Later'] : null);
  await comeIn();
  await ann.client.sign_in.login({ email: ann.email, password: ann.loginHash, keep_signed_in: true });
  const messageKeys = [
    await goOut([ben]),
    await goOut([ben, 'friend@outside.test']),
    await goOut(['bounce@outside.test']),
    await goOut(['later@outside.test']),
  ];
  await saveInBrowser();
  await importByServer(ben);
  const before = await mailsOf(ann);
  expect(before).toBeGreaterThan(0);
  // The message to the outside, and the bounce of the one refused there.
  await expect.poll(() => outside.messages.length, { interval: 100 }).toBeGreaterThan(0);
  await expect
    .poll(
      async () =>
        (await ann.client.mail.query({})).data.filter(({ headers }) => headers.includes('mailer-daemon@'))
          .length,
      {
        interval: 100,
      },
    )
    .toBeGreaterThan(0);
  const clock = { now: () => new Date(), advance: () => undefined };
  const { secret } = await turnTotpOn(ben, clock);
  const { data: shared } = await ann.client.contacts.generate({});

  await admin('backup', inRoot('backup'));
  await admin('base-backup', inRoot('base'));
  await onDatabase(product.dataDir, async db => {
    await sql`checkpoint`.execute(db);
    const { rows } = await sql<{ name: string; folder: string }>`
      select pg_walfile_name(pg_switch_wal()) as name, system_identifier::text as folder
      from pg_control_system()`.execute(db);
    const [segment] = rows;
    await expect
      .poll(() => existsSync(path.join(inRoot('archive'), segment?.folder ?? '', `${segment?.name}.gz`)))
      .toBe(true);
  });
  await product.stop();

  const secrets: Word[] = [
    ...[ann, ben].flatMap(({ loginHash, vaultKey, identity }) => [
      { name: 'login hash', bytes: Buffer.from(loginHash, 'hex') },
      { name: 'login hash as it is sent', bytes: Buffer.from(loginHash) },
      { name: 'vault key', bytes: vaultKey },
      { name: 'sent key', bytes: identity.sent_key },
    ]),
    ...messageKeys.map(bytes => ({ name: 'message key', bytes })),
    ...['keyfold_session', 'keyfold_device'].map(name => ({
      name,
      bytes: Buffer.from(ann.client.jar.get(name) ?? ''),
    })),
    { name: 'seed of an authenticator app', bytes: Buffer.from(secret) },
    { name: 'share code', bytes: Buffer.from(shared.code) },
    { name: 'password of another provider', bytes: Buffer.from(provider.password) },
  ];
  for (const { name, bytes } of secrets) expect(bytes.length, name).toBeGreaterThan(7);
  const words: Word[] = [
    { name: 'canary', bytes: Buffer.from(MARK) },
    { name: 'canary in capitals', bytes: Buffer.from(MARK.toUpperCase()) },
    ...secrets,
  ];
  const folders = [product.dataDir, inRoot('archive'), inRoot('backup'), inRoot('base'), inRoot('tmp')];
  const { found, files, bytes } = await findOnDisk(folders, words);
  found.push(...findInText('log', product.output(), words));
  say(
    `${made} canaries and ${secrets.length} secrets in ${files} files of ${Math.round(bytes / 1024 / 1024)} MB and ${product.output().length} characters of log: ${found.length} found`,
  );
  expect(found).toEqual([]);
  // Data stored in plain text by design is found: in the database, in the unpacked archive, and in
  // both backups.
  const known = await findOnDisk(folders, [{ name: 'address', bytes: Buffer.from(ann.email) }]);
  const places = known.found.map(one => one.replace(/^([\w-]+)\/(\w+)?.*?( unpacked)?: .*$/, '$1$3'));
  expect(new Set(places)).toEqual(
    new Set([path.basename(product.dataDir), 'archive unpacked', 'backup', 'base']),
  );
}, 120_000);

test('the search finds a word in each encoded form', () => {
  const word = Buffer.from(MARK);
  const hidden = [
    word,
    Buffer.from(MARK, 'utf16le'),
    Buffer.from(word.toString('hex')),
    Buffer.from(word.toString('hex').toUpperCase()),
    ...['x', 'xy', 'xyz'].map(before =>
      Buffer.from(Buffer.from(`${before}${MARK}-after`).toString('base64')),
    ),
  ];
  for (const bytes of hidden)
    expect(
      findInText('here', `before ${bytes.toString('latin1')} after`, [{ name: 'it', bytes: word }]),
    ).not.toEqual([]);
  expect(findInText('here', MARK.slice(1), [{ name: 'it', bytes: word }])).toEqual([]);
});
