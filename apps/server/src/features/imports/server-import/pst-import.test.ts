// PST import on the server: encrypted upload, reading in a separate process, sealing, status,
// interruption and cancellation.
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { type TestFolder, type TestMail, writePst } from '@keyfold/testing/pst-file';
import type { PropertyValue } from '@keyfold/testing/pst-heap';
import { expect, test } from 'vitest';
import { codeOf } from '../../../../tests/harness/codes.ts';
import { useTwoUsers } from '../../../../tests/harness/two-users.ts';
import { registerTestUser, type TestUser } from '../../../../tests/harness/users.ts';
import { startServerImports } from '../../../jobs/server-imports.ts';
import { startReading } from './pst-reader.ts';
import { openPstSecret } from './pst-secret.ts';
import { createPstRunner, tidyUpImports } from './service.ts';

const world = useTwoUsers();

const text = (id: number, value: string): PropertyValue => ({ id, type: 'text', value });

const mail = (
  subject: string,
  { isRead = true, isUnsent = false, body = `Text of ${subject}` } = {},
): TestMail => ({
  properties: [
    text(0x001a, 'IPM.Note'),
    text(0x0037, subject),
    text(0x0042, 'Gus Grey'),
    text(0x0065, 'gus@outside.test'),
    text(0x1000, body),
    text(0x1035, `<${subject.replace(/\W/g, '-')}@outside.test>`),
    { id: 0x0039, type: 'time', value: new Date('2018-02-03T04:05:06Z') },
    { id: 0x0e07, type: 'int', value: (isRead ? 1 : 0) + (isUnsent ? 8 : 0) },
  ],
});

const CANARY = 'Zaunkönig im Kanarienkäfig';

const FOLDERS: readonly TestFolder[] = [
  { name: 'Inbox', mails: [mail('One', { isRead: false }), mail('Two')] },
  { name: 'Projects', folders: [{ name: 'Bridge', mails: [mail('Three', { body: CANARY })] }] },
  {
    name: 'Contacts',
    mails: [{ properties: [text(0x001a, 'IPM.Contact'), text(0x3001, 'Ada')] }],
  },
  {
    name: 'Files',
    mails: [
      {
        ...mail('Four'),
        files: [
          {
            properties: [
              { id: 0x3705, type: 'int', value: 1 },
              text(0x3707, 'large.bin'),
              { id: 0x3701, type: 'binary', value: Uint8Array.from({ length: 60_000 }, (_, at) => at % 251) },
            ],
          },
        ],
      },
    ],
  },
];

async function start(user: TestUser, file: Uint8Array<ArrayBuffer>, options: object = {}): Promise<string> {
  const input = { import_options: JSON.stringify(options) };
  return (await user.client.server_imports.start_pst(input, { file: new Blob([file]) })).data.import_id;
}

const statusOf = async (user: TestUser, id: string) => (await user.client.server_imports.status({ id })).data;

/** Runs all pending imports, as a worker does. */
async function readAll(signal = new AbortController().signal): Promise<void> {
  const runner = createPstRunner(world.app.deps);
  try {
    while (await runner.runNext(signal));
  } finally {
    await runner.close();
  }
}

const filesLeft = (): string[] => readdirSync(path.join(world.app.config.dataDir, 'imports'));

const idOf = async ({ email }: TestUser): Promise<string> =>
  (await world.app.db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow())
    .id;

test('a PST import keeps time and state, turns folders into tags and stores large attachments as blobs', async () => {
  const ann = await registerTestUser(world.app);
  const id = await start(ann, writePst({ folders: FOLDERS }));
  expect(await statusOf(ann, id)).toMatchObject({ status: 'queued', processed: 0, failure: null });
  await readAll();
  expect(await statusOf(ann, id)).toEqual({
    kind: 'pst',
    status: 'done',
    total: 5,
    processed: 5,
    imported: 4,
    skipped: 1,
    failed: 0,
    errors: [],
    failure: null,
  });
  const { data: inbox } = await ann.client.mail.query({ archived: false });
  expect(inbox.map(one => [one.message_id, one.read, one.tags])).toEqual(
    expect.arrayContaining([
      ['<One@outside.test>', false, []],
      ['<Two@outside.test>', true, []],
    ]),
  );
  const { data: archived } = await ann.client.mail.query({ archived: true });
  const found = Object.fromEntries(archived.map(one => [one.message_id, one]));
  expect(found['<Three@outside.test>']).toMatchObject({
    tags: ['Projects/Bridge'],
    from: 'gus@outside.test',
    received_at: '2018-02-03T04:05:06.000Z',
    public: true,
  });
  expect(found['<Four@outside.test>']?.attachments).toHaveLength(1);
  expect(filesLeft()).toEqual([]);
});

test('drafts stay editable drafts unless they were deleted', async () => {
  const ann = await registerTestUser(world.app);
  const half = (subject: string) => mail(subject, { isUnsent: true, isRead: false });
  const id = await start(
    ann,
    writePst({
      folders: [
        { name: 'Drafts', mails: [half('Begun')] },
        { name: 'Projects', mails: [half('Begun elsewhere'), mail('Sent')] },
        { name: 'Deleted Items', folders: [{ name: 'Old', mails: [half('Given up')] }] },
      ],
    }),
  );
  await readAll();
  expect(await statusOf(ann, id)).toMatchObject({ status: 'done', imported: 4, failed: 0 });
  const all = (await ann.client.mail.query({})).data;
  const found = Object.fromEntries(all.map(one => [one.message_id, one]));
  const draft = { draft: true, read: true, archived: false, sent: false, tags: [] };
  expect(found['<Begun@outside.test>']).toMatchObject(draft);
  expect(found['<Begun-elsewhere@outside.test>']).toMatchObject(draft);
  expect(found['<Sent@outside.test>']).toMatchObject({ draft: false, tags: ['Projects'] });
  expect(found['<Given-up@outside.test>']).toMatchObject({ draft: false, archived: true });
  // The composer opens the draft and saves it under the same id.
  const { id: draftId } = found['<Begun@outside.test>'] ?? { id: '' };
  expect((await ann.client.mail.one({ id: draftId })).data.body).not.toBe('');
});

test('no plain content of a file is on the disk or in the database', async () => {
  const ann = await registerTestUser(world.app);
  const id = await start(ann, writePst({ folders: FOLDERS, cipher: 'none' }));
  const bytes = readFileSync(path.join(world.app.config.dataDir, 'imports', `${id}.pst`));
  for (const plain of ['!BDN', CANARY]) {
    expect(bytes.includes(Buffer.from(plain, 'utf16le'))).toBe(false);
    expect(bytes.includes(Buffer.from(plain))).toBe(false);
  }
  await readAll();
  const row = await world.app.db
    .selectFrom('server_imports')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(JSON.stringify(row)).not.toMatch(/One|Bridge|Gus|large/);
  expect(row.secret_sealed).toBeNull();
});

test('a message with a reused Message-ID does not block the other one', async () => {
  const ann = await registerTestUser(world.app);
  const forged = mail('One');
  const others = forged.properties.map(one => (one.id === 0x0065 ? text(0x0065, 'eve@outside.test') : one));
  await start(ann, writePst({ folders: [{ name: 'Inbox', mails: [{ properties: others }] }] }));
  await readAll();
  const id = await start(ann, writePst({ folders: [{ name: 'Inbox', mails: [forged] }] }));
  await readAll();
  expect(await statusOf(ann, id)).toMatchObject({ status: 'done', imported: 1, skipped: 0 });
  expect((await ann.client.mail.query({})).data.map(({ from }) => from).sort()).toEqual([
    'eve@outside.test',
    'gus@outside.test',
  ]);
});

test('importing a file again adds nothing, and no tags are created without folder tags', async () => {
  const ann = await registerTestUser(world.app);
  await start(ann, writePst({ folders: FOLDERS }), { folders_as_tags: false });
  await readAll();
  const id = await start(ann, writePst({ folders: FOLDERS }), { folders_as_tags: false });
  await readAll();
  expect(await statusOf(ann, id)).toMatchObject({ status: 'done', imported: 0, skipped: 5 });
  expect((await ann.client.mail.query({})).count).toBe(4);
  const tags = await world.app.db
    .selectFrom('tags')
    .select('name')
    .where('user_id', '=', await idOf(ann))
    .execute();
  expect(tags).toEqual([]);
});

test('an interrupted import is continued by the next process', async () => {
  const ann = await registerTestUser(world.app);
  const mails = Array.from({ length: 60 }, (_, index) => mail(`Number ${index}`));
  const id = await start(ann, writePst({ folders: [{ name: 'Inbox', mails }] }));
  const first = startServerImports(world.app.deps, { pollMs: 20 });
  await expect.poll(async () => (await statusOf(ann, id)).processed).toBeGreaterThan(3);
  await first.close();
  const between = await statusOf(ann, id);
  expect(between.status).toBe('running');
  expect(between.processed).toBeLessThan(60);
  const second = startServerImports(world.app.deps, { pollMs: 20 });
  await expect.poll(async () => (await statusOf(ann, id)).status).toBe('done');
  await second.close();
  expect(await statusOf(ann, id)).toMatchObject({ processed: 60, imported: 60, skipped: 0 });
  expect((await ann.client.mail.query({})).count).toBe(60);
});

test('an import of a crashed process is resumed when its lease expires', async () => {
  const ann = await registerTestUser(world.app);
  const id = await start(ann, writePst({ folders: FOLDERS }));
  await world.app.db
    .updateTable('server_imports')
    .set({ status: 'running', leased_until: new Date(world.clock.now().getTime() + 60_000) })
    .where('id', '=', id)
    .execute();
  await readAll();
  expect((await statusOf(ann, id)).status).toBe('running');
  world.clock.advance(61_000);
  await readAll();
  expect((await statusOf(ann, id)).status).toBe('done');
});

test('canceling an import stops it, deletes its file and keeps the imported messages', async () => {
  const ann = await registerTestUser(world.app);
  const mails = Array.from({ length: 80 }, (_, index) => mail(`Number ${index}`));
  const id = await start(ann, writePst({ folders: [{ name: 'Inbox', mails }] }));
  const running = startServerImports(world.app.deps, { pollMs: 20 });
  await expect.poll(async () => (await statusOf(ann, id)).processed).toBeGreaterThan(2);
  await ann.client.server_imports.cancel({ id });
  expect(filesLeft()).toEqual([]);
  const { processed } = await statusOf(ann, id);
  await running.close();
  const after = await statusOf(ann, id);
  expect(after).toMatchObject({ status: 'cancelled', processed, imported: processed });
  expect((await ann.client.mail.query({})).count).toBe(processed);
  await ann.client.server_imports.cancel({ id });
  expect((await statusOf(ann, id)).status).toBe('cancelled');
});

test.each([
  ['random bytes', randomBytes(50_000), 'not_this_format'],
  ['a file that is cut short', writePst({ folders: FOLDERS }).slice(0, 20_000), 'too_short'],
  ['a file with one byte', Uint8Array.of(0x21), 'not_this_format'],
] as const)('%s fails with a reason', async (_, bytes, failure) => {
  const ann = await registerTestUser(world.app);
  const id = await start(ann, Uint8Array.from(bytes));
  await readAll();
  expect(await statusOf(ann, id)).toMatchObject({ status: 'failed', failure, imported: 0 });
  expect(filesLeft()).toEqual([]);
});

test('an unreadable item is reported by its position, and the rest is imported', async () => {
  const ann = await registerTestUser(world.app);
  const file = writePst({ folders: [{ name: 'Inbox', mails: [mail('Bad'), mail('Good')] }] });
  const at = Buffer.from(file.buffer);
  // The blocks of the first message directly follow those of the message store.
  const plain = writePst({
    cipher: 'none',
    folders: [{ name: 'Inbox', mails: [mail('Bad'), mail('Good')] }],
  });
  const place = Buffer.from(plain.buffer).indexOf(Buffer.from('Bad', 'utf16le'));
  at.fill(0xff, place - 200, place + 200);
  const id = await start(ann, file);
  await readAll();
  expect(await statusOf(ann, id)).toMatchObject({
    status: 'done',
    imported: 1,
    failed: 1,
    errors: [{ item: 1, reason: 'damaged' }],
  });
});

test('an import fails when the mailbox is full', async () => {
  const ann = await registerTestUser(world.app);
  const large = Array.from({ length: 8 }, (_, index) => mail(`L${index}`, { body: 'x'.repeat(30_000) }));
  const file = writePst({ folders: [{ name: 'Inbox', mails: large }] });
  const limit = 5 * 1024 ** 3;
  await world.app.db
    .updateTable('users')
    .set({ bonus_bytes: -limit + Math.ceil(file.length / 2) + 1_000 })
    .where('id', '=', await idOf(ann))
    .execute();
  const id = await start(ann, file);
  await readAll();
  const status = await statusOf(ann, id);
  expect(status).toMatchObject({ status: 'failed', failure: 'quota_exceeded' });
  expect(status.imported).toBeGreaterThan(0);
  expect(status.imported).toBeLessThan(8);
  // A file far larger than the free storage is not even stored.
  expect(await codeOf(start(ann, Uint8Array.from(randomBytes(2 * file.length))))).toBe('507 quota_exceeded');
  expect(filesLeft()).toEqual([]);
});

test('a user has one import at a time, with valid options, and no access to others’ imports', async () => {
  const ann = await registerTestUser(world.app);
  const file = writePst({ folders: FOLDERS });
  const outcomes = await Promise.allSettled([start(ann, file), start(ann, file), start(ann, file)]);
  const started = outcomes.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []));
  expect(started).toHaveLength(1);
  expect(filesLeft()).toEqual([`${started[0]}.pst`]);
  expect(await codeOf(start(ann, file))).toBe('409 already_in_progress');
  expect(await codeOf(statusOf(world.bob, started[0] ?? ''))).toBe('404 not_found');
  expect(await codeOf(world.bob.client.server_imports.cancel({ id: started[0] ?? '' }))).toBe(
    '404 not_found',
  );
  await ann.client.server_imports.cancel({ id: started[0] ?? '' });
  const malformed = ann.client.server_imports.start_pst({ import_options: '{' }, { file: new Blob([file]) });
  expect(await codeOf(malformed)).toBe('400 malformed');
  expect(filesLeft()).toEqual([]);
});

test('deleting an account deletes its import', async () => {
  const ann = await registerTestUser(world.app);
  await start(ann, writePst({ folders: FOLDERS }));
  await world.app.db
    .deleteFrom('users')
    .where('id', '=', await idOf(ann))
    .execute();
  await readAll();
  expect((await tidyUpImports(world.app.deps)).files).toBe(0);
});

test('an item that crashed the reader process is skipped and named, and the rest is read', async () => {
  const ann = await registerTestUser(world.app);
  const id = await start(ann, writePst({ folders: FOLDERS }));
  const { secret_sealed, size_bytes } = await world.app.db
    .selectFrom('server_imports')
    .select(['secret_sealed', 'size_bytes'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const descriptor = openSync(path.join(world.app.config.dataDir, 'imports', `${id}.pst`), 'r');
  const { key } = openPstSecret(world.app.deps, id, secret_sealed ?? Buffer.alloc(0));
  const file = { sizeBytes: Number(size_bytes), key };
  const readRest = async (after: string | null, isNextLeftOut: boolean) => {
    const reading = startReading(descriptor, { ...file, after, isNextLeftOut });
    const items = [];
    for (let item = await reading.next(); item !== null; item = await reading.next()) items.push(item);
    reading.close();
    return items.map(({ kind, key }) => [kind, key] as const);
  };
  const whole = await readRest(null, false);
  expect(whole.map(([kind]) => kind)).toEqual(['mail', 'mail', 'mail', 'contact', 'mail']);
  expect(await readRest(null, true)).toEqual([['broken', whole[0]?.[1]], ...whole.slice(1)]);
  expect(await readRest(whole[1]?.[1] ?? null, true)).toEqual([['broken', whole[2]?.[1]], ...whole.slice(3)]);
  expect(await readRest(whole[3]?.[1] ?? null, true)).toEqual([['broken', whole[4]?.[1]]]);
  closeSync(descriptor);
  await ann.client.server_imports.cancel({ id });
});

test('an import whose file is missing fails', async () => {
  const ann = await registerTestUser(world.app);
  const id = await start(ann, writePst({ folders: FOLDERS }));
  unlinkSync(path.join(world.app.config.dataDir, 'imports', `${id}.pst`));
  await readAll();
  expect(await statusOf(ann, id)).toMatchObject({ status: 'failed', failure: 'lost' });
});

test('an unresponsive reader process is killed and reported', async () => {
  const ann = await registerTestUser(world.app);
  const id = await start(ann, writePst({ folders: FOLDERS }));
  const descriptor = openSync(path.join(world.app.config.dataDir, 'imports', `${id}.pst`), 'r');
  const reading = startReading(
    descriptor,
    { sizeBytes: 1_000, key: randomBytes(32), after: null, isNextLeftOut: false },
    1,
  );
  await expect(reading.next()).rejects.toMatchObject({ name: 'ReadingProcessDied' });
  await expect(reading.next()).rejects.toMatchObject({ name: 'ReadingProcessDied' });
  reading.close();
  closeSync(descriptor);
  await ann.client.server_imports.cancel({ id });
});
