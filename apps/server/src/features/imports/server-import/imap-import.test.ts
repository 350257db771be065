// Import of a mailbox at another provider over IMAP: where messages are placed, no duplicates, and
// no trace of the password afterwards.
import { expect, test } from 'vitest';
import { codeOf } from '../../../../tests/harness/codes.ts';
import { mail, useImapWorld } from '../../../../tests/harness/imap-world.ts';
import { registerTestUser } from '../../../../tests/harness/users.ts';
import { PST_LEASE_MS } from '../../../base/import-limits.ts';
import { startServerImports } from '../../../jobs/server-imports.ts';
import { suspend } from '../../operator/admin/actions.ts';

const world = useImapWorld();

const USUAL = [
  { name: 'INBOX', mails: [mail(1, 'One'), mail(2, 'Two', { flags: ['\\Seen', '\\Flagged'] })] },
  { name: 'Gesendet', attributes: ['\\Sent'], mails: [mail(1, 'Sent one')] },
  { name: 'Drafts', attributes: ['\\Drafts'], mails: [mail(3, 'Not ready', { flags: ['\\Draft'] })] },
  { name: 'Junk', attributes: ['\\Junk'], mails: [mail(9, 'Buy now')] },
  { name: 'Trash', attributes: ['\\Trash'], mails: [mail(4, 'Thrown away')] },
  {
    name: 'Archive',
    attributes: ['\\Archive'],
    mails: [mail(5, 'Old', { date: '01-Feb-2015 01:02:03 +0100' })],
  },
  { name: 'Projects', attributes: ['\\Noselect'], mails: [] },
  { name: 'Projects/Br&APw-cke', mails: [mail(6, 'Three'), mail(7, 'One')] },
];

test('folders are listed with counts and places, and the login is not stored', async () => {
  const ann = await registerTestUser(world.app);
  world.provider.tls.mailboxes = USUAL;
  const { folders } = (await ann.client.server_imports.imap_folders(world.login)).data;
  expect(folders.map(({ name, path, count, place }) => [name, path, count, place])).toEqual([
    ['INBOX', ['INBOX'], 2, 'inbox'],
    ['Projects/Brücke', ['Projects', 'Brücke'], 2, 'tag'],
    ['Gesendet', ['Gesendet'], 1, 'sent'],
    ['Drafts', ['Drafts'], 1, 'drafts'],
    ['Archive', ['Archive'], 1, 'archive'],
    ['Junk', ['Junk'], 1, 'spam'],
    ['Trash', ['Trash'], 1, 'deleted'],
  ]);
  expect(await world.rowsWith(world.login.password, world.login.host, world.login.user)).toEqual([]);
});

test('messages are imported once with time, state and place, and the source is not modified', async () => {
  const ann = await registerTestUser(world.app);
  world.provider.tls.mailboxes = USUAL;
  const id = await world.start(ann);
  await world.readAll();
  expect(await world.statusOf(ann, id)).toEqual({
    kind: 'imap',
    status: 'done',
    total: 9,
    processed: 9,
    imported: 8,
    skipped: 1,
    failed: 0,
    errors: [],
    failure: null,
  });
  const all = (await ann.client.mail.query({})).data;
  const found = Object.fromEntries(
    all.map(one => [one.message_id.slice(1, one.message_id.indexOf('@')), one]),
  );
  expect(found.One).toMatchObject({ read: false, archived: false, tags: [], starred: false });
  expect(found.Two).toMatchObject({ read: true, archived: false, starred: true });
  expect(found['Sent-one']).toMatchObject({ sent: true, archived: false, read: true });
  expect(found['Not-ready']).toMatchObject({ draft: true, sent: false });
  expect(found['Buy-now']).toMatchObject({ flagged: true, archived: false });
  expect(found['Thrown-away']).toMatchObject({ deleted: true });
  expect(found.Old).toMatchObject({ archived: true, tags: [], received_at: '2015-02-01T00:02:03.000Z' });
  expect(found.Three).toMatchObject({ archived: true, tags: ['Projects/Brücke'] });
  const said = world.provider.tls.commands.map(one => one.split(' ').slice(0, 2).join(' '));
  for (const word of ['SELECT', 'STORE', 'UID STORE', 'APPEND', 'EXPUNGE', 'UID MOVE', 'UID COPY'])
    expect(said.some(one => one.startsWith(word))).toBe(false);
  expect(world.provider.tls.commands.join('\n')).not.toMatch(/BODY\[\]/);
});

test('importing a mailbox again adds nothing, not even messages without a Message-ID', async () => {
  const ann = await registerTestUser(world.app);
  world.provider.tls.mailboxes = [
    { name: 'INBOX', mails: [mail(1, 'One'), { uid: 2, raw: 'Subject: nameless\r\n\r\nText\r\n' }] },
  ];
  await world.start(ann);
  await world.readAll();
  const id = await world.start(ann);
  await world.readAll();
  expect(await world.statusOf(ann, id)).toMatchObject({ status: 'done', imported: 0, skipped: 2 });
  expect((await ann.client.mail.query({})).count).toBe(2);
});

test('an import honors the chosen folders, first day and tag option', async () => {
  const ann = await registerTestUser(world.app);
  world.provider.tls.mailboxes = [
    { name: 'INBOX', mails: [mail(1, 'In the inbox')] },
    {
      name: 'Work',
      mails: [
        mail(1, 'Early', { date: '28-Feb-2020 12:00:00 +0000' }),
        mail(2, 'Late', { date: '01-Mar-2020 12:00:00 +0000' }),
      ],
    },
  ];
  const id = await world.start(ann, { folders: ['Work'], since: '2020-03-01', folders_as_tags: false });
  await world.readAll();
  expect(await world.statusOf(ann, id)).toMatchObject({ status: 'done', total: 1, imported: 1 });
  expect((await ann.client.mail.query({})).data).toMatchObject([
    { message_id: '<Late@outside.test>', tags: [] },
  ]);
});

test('Gmail labels determine the place of a message, whatever folder contains it', async () => {
  const ann = await registerTestUser(world.app);
  world.provider.tls.capabilities = 'SPECIAL-USE AUTH=PLAIN X-GM-EXT-1';
  const labels = ['\\Important', 'Family/Trips', 'Money'];
  world.provider.tls.mailboxes = [
    { name: 'INBOX', mails: [mail(1, 'Labelled', { labels })] },
    { name: '[Gmail]', attributes: ['\\Noselect'], mails: [] },
    {
      name: '[Gmail]/All Mail',
      attributes: ['\\All'],
      mails: [
        mail(7, 'Labelled', { labels: ['\\Inbox', ...labels] }),
        mail(8, 'Kept', { labels: ['Money'] }),
      ],
    },
    { name: '[Gmail]/Starred', attributes: ['\\Flagged'], mails: [mail(2, 'Kept')] },
    { name: 'Money', mails: [mail(3, 'Labelled'), mail(4, 'Kept')] },
  ];
  const id = await world.start(ann, { folders: ['INBOX', '[Gmail]/All Mail'] });
  await world.readAll();
  expect(await world.statusOf(ann, id)).toMatchObject({ status: 'done', imported: 2, skipped: 1 });
  const all = (await ann.client.mail.query({})).data;
  const found = Object.fromEntries(all.map(one => [one.message_id, one]));
  expect(found['<Labelled@outside.test>']?.tags?.toSorted()).toEqual(['Family/Trips', 'Money']);
  expect(found['<Labelled@outside.test>']?.archived).toBe(false);
  expect(found['<Kept@outside.test>']).toMatchObject({ archived: true, tags: ['Money'] });
});

test('STARTTLS comes before the password', async () => {
  const ann = await registerTestUser(world.app);
  world.provider.plain.mailboxes = [{ name: 'INBOX', mails: [mail(1, 'One')] }];
  const id = await world.start(ann, { port: 143, security: 'starttls' });
  await world.readAll();
  expect(await world.statusOf(ann, id)).toMatchObject({ status: 'done', imported: 1 });
  const said = world.provider.plain.commands.map(one => one.split(' ')[0]);
  expect(said.indexOf('STARTTLS')).toBeGreaterThanOrEqual(0);
  const login = said.findIndex(one => one === 'LOGIN' || one === 'AUTHENTICATE');
  expect(login).toBeGreaterThan(said.indexOf('STARTTLS'));
});

test('the login is sealed during the import, and no table contains it after any outcome', async () => {
  const ann = await registerTestUser(world.app);
  const admin = world.app.deps;
  world.provider.tls.mailboxes = USUAL;
  const secrets = [world.login.password, world.login.user, world.login.host, 'Gesendet'];
  const sealedOf = async (id: string) =>
    (
      await world.app.db
        .selectFrom('server_imports')
        .select('secret_sealed')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).secret_sealed;

  const done = await world.start(ann);
  expect(await sealedOf(done)).not.toBeNull();
  expect(await world.rowsWith(...secrets)).toEqual([]);
  await world.readAll();
  expect(await sealedOf(done)).toBeNull();

  const canceled = await world.start(ann);
  await ann.client.server_imports.cancel({ id: canceled });
  expect(await sealedOf(canceled)).toBeNull();

  world.provider.tls.password = 'another';
  const failed = await world.start(ann);
  await world.readAll();
  expect(await world.statusOf(ann, failed)).toMatchObject({ status: 'failed', failure: 'login_refused' });
  expect(await sealedOf(failed)).toBeNull();

  const suspended = await world.start(ann);
  const boss = await world.idOf(await registerTestUser(world.app));
  await world.app.db
    .updateTable('users')
    .set({ is_admin: true, admin_level: 'super' })
    .where('id', '=', boss)
    .execute();
  await suspend(admin, boss, { user_email: ann.email, reason: 'A test' });
  expect(await sealedOf(suspended)).toBeNull();

  const eve = await registerTestUser(world.app);
  await world.start(eve);
  await world.app.db
    .deleteFrom('users')
    .where('id', '=', await world.idOf(eve))
    .execute();
  expect(await world.rowsWith(...secrets)).toEqual([]);
  expect(world.logged()).not.toMatch(/app password|ann@old\.test|imap\.old\.test/);
});

test('an interrupted import resumes after the last message', async () => {
  const ann = await registerTestUser(world.app);
  const mails = Array.from({ length: 60 }, (_, at) => mail(at + 1, `Number ${at}`));
  world.provider.tls.mailboxes = [{ name: 'INBOX', mails }];
  const id = await world.start(ann);
  const first = startServerImports(world.app.deps, { pollMs: 20 });
  await expect.poll(async () => (await world.statusOf(ann, id)).processed).toBeGreaterThan(3);
  await first.close();
  const between = await world.statusOf(ann, id);
  expect(between.status).toBe('running');
  expect(between.processed).toBeLessThan(60);
  const asked = world.provider.tls.commands.length;
  await world.readAll();
  expect(await world.statusOf(ann, id)).toMatchObject({
    status: 'done',
    processed: 60,
    imported: 60,
    skipped: 0,
  });
  const searched = world.provider.tls.commands.slice(asked).find(one => one.startsWith('UID SEARCH'));
  expect(searched).toContain(`${between.processed + 1}:*`);
});

test('an import of a crashed process is resumed when its lease expires', async () => {
  const ann = await registerTestUser(world.app);
  world.provider.tls.mailboxes = USUAL;
  const id = await world.start(ann);
  await world.app.db
    .updateTable('server_imports')
    .set({ status: 'running', leased_until: new Date(world.clock.now().getTime() + PST_LEASE_MS) })
    .where('id', '=', id)
    .execute();
  await world.readAll();
  expect((await world.statusOf(ann, id)).status).toBe('running');
  world.clock.advance(PST_LEASE_MS);
  await world.readAll();
  expect((await world.statusOf(ann, id)).status).toBe('done');
});

test('a turn ends when its time is over, and the next one signs in again', async () => {
  const ann = await registerTestUser(world.app);
  world.provider.tls.mailboxes = [{ name: 'INBOX', mails: [mail(1, 'One'), mail(2, 'Two')] }];
  const id = await world.start(ann);
  const before = world.provider.tls.connections();
  await world.readAll({ turnMs: 0 });
  expect(await world.statusOf(ann, id)).toMatchObject({ status: 'done', imported: 2 });
  expect(world.provider.tls.connections() - before).toBe(3);
});

test('a user has one import at a time, of any kind, and no access to others’ imports', async () => {
  const ann = await registerTestUser(world.app);
  const id = await world.start(ann);
  expect(await codeOf(world.start(ann))).toBe('409 already_in_progress');
  const pst = ann.client.server_imports.start_pst({}, { file: new Blob(['!BDN']) });
  expect(await codeOf(pst)).toBe('409 already_in_progress');
  expect(await codeOf(world.statusOf(world.bob, id))).toBe('404 not_found');
  expect(await codeOf(world.bob.client.server_imports.cancel({ id }))).toBe('404 not_found');
  await ann.client.server_imports.cancel({ id });
});

test('an import fails when the mailbox is full', async () => {
  const ann = await registerTestUser(world.app);
  world.provider.tls.mailboxes = [
    {
      name: 'INBOX',
      mails: Array.from({ length: 8 }, (_, at) => mail(at + 1, `L${at}`, {}, 'x'.repeat(30_000))),
    },
  ];
  await world.app.db
    .updateTable('users')
    .set({ bonus_bytes: -5 * 1024 ** 3 + 100_000 })
    .where('id', '=', await world.idOf(ann))
    .execute();
  const id = await world.start(ann);
  await world.readAll();
  const status = await world.statusOf(ann, id);
  expect(status).toMatchObject({ status: 'failed', failure: 'quota_exceeded' });
  expect(status.imported).toBeGreaterThan(0);
  expect(status.imported).toBeLessThan(8);
});
