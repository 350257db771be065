// Untrusted IMAP servers: which addresses and ports are refused, which responses are rejected, and
// that no response breaks the import.
import type { ImapAnswerer } from '@keyfold/testing/imap';
import { expect, test } from 'vitest';
import { codeOf } from '../../../../tests/harness/codes.ts';
import { mail, useImapWorld } from '../../../../tests/harness/imap-world.ts';
import { registerTestUser, type TestUser } from '../../../../tests/harness/users.ts';
import {
  IMAP_BREAKS_MAX,
  IMAP_BREAKS_PER_MESSAGE,
  IMAP_IMPORT_MS,
  IMAP_WAIT_MAX_MS,
} from '../../../base/import-limits.ts';
import { startServerImports } from '../../../jobs/server-imports.ts';

const world = useImapWorld();

const look = (user: TestUser, change: object) =>
  codeOf(user.client.server_imports.imap_folders({ ...world.login, ...change }));

/** Runs turns until the import has ended, through all its waits. */
async function readToTheEnd(user: TestUser, id: string): Promise<void> {
  for (let round = 0; round < 40; round++) {
    await world.readAll();
    if (!['queued', 'running'].includes((await world.statusOf(user, id)).status)) return;
    world.clock.advance(IMAP_WAIT_MAX_MS);
  }
  throw new Error('The import did not end');
}

const isSecretSent = (): boolean =>
  [...world.provider.tls.commands, ...world.provider.plain.commands].some(one => /^(LOGIN|AUTH)/.test(one));

test('local, private and cloud-internal addresses are never contacted', async () => {
  const ann = await registerTestUser(world.app);
  const { names, connected } = world.provider;
  Object.assign(names, {
    'a.inside.test': ['10.1.2.3'],
    'b.inside.test': ['93.184.216.40', '169.254.169.254'],
    'c.inside.test': ['::1'],
  });
  const before = connected.length;
  for (const host of ['127.0.0.1', '::1', 'localhost', 'a.inside.test', 'b.inside.test', 'c.inside.test'])
    expect(await look(ann, { host })).toBe('422 imap_address_refused');
  expect(await look(ann, { port: 25 })).toBe('422 imap_port_refused');
  expect(await codeOf(world.start(ann, { port: 25 }))).toBe('422 imap_port_refused');
  const id = await world.start(ann, { host: 'a.inside.test' });
  await world.readAll();
  expect(await world.statusOf(ann, id)).toMatchObject({ status: 'failed', failure: 'address_refused' });
  expect(connected.length).toBe(before);
});

test('a host name whose address changes is contacted at the checked address', async () => {
  const ann = await registerTestUser(world.app);
  let asked = 0;
  world.provider.names['imap.old.test'] = () => (asked++ < 2 ? ['93.184.216.41'] : ['127.0.0.1']);
  world.provider.tls.mailboxes = [{ name: 'INBOX', mails: [] }];
  await ann.client.server_imports.imap_folders(world.login);
  expect(world.provider.connected.at(-1)).toBe('93.184.216.41 993');
  expect(await look(ann, {})).toBe('422 imap_address_refused');
  world.provider.names['imap.old.test'] = ['93.184.216.40'];
});

test('the password is not sent without TLS and a matching certificate', async () => {
  const ann = await registerTestUser(world.app);
  world.provider.names['other.test'] = ['93.184.216.42'];
  expect(await look(ann, { host: 'other.test' })).toBe('422 imap_certificate');
  const plain = { port: 143, security: 'starttls' } as const;
  expect(await look(ann, { host: 'other.test', ...plain })).toBe('422 imap_certificate');
  // Starts TLS with a server that doesn't speak it.
  expect(await look(ann, { port: 143 })).toBe('422 imap_no_tls');
  const withoutTls: ImapAnswerer = ({ tag, name, write }) => {
    if (name !== 'CAPABILITY') return false;
    write(`* CAPABILITY IMAP4rev1\r\n${tag} OK done\r\n`);
    return true;
  };
  world.provider.plain.answer = withoutTls;
  expect(await look(ann, plain)).toBe('422 imap_no_tls');
  world.provider.plain.answer = ({ tag, name, write }) => {
    if (name === 'STARTTLS') write(`${tag} BAD signed in already\r\n`);
    return name === 'STARTTLS';
  };
  world.provider.plain.greeting = '* PREAUTH welcome';
  expect(await look(ann, plain)).toBe('422 imap_no_tls');
  expect(isSecretSent()).toBe(false);
});

test('a wrong password is reported without the server’s own text', async () => {
  const ann = await registerTestUser(world.app);
  const reply = await ann.client.fetch('/user/import/imap/folders', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...world.login, password: 'Mistyped it' }),
  });
  expect(reply.status).toBe(422);
  const text = await reply.text();
  expect(text).toContain('imap_login_refused');
  expect(text).not.toContain('Mistyped');
  expect(world.logged()).not.toMatch(/Mistyped|ann@old\.test|imap\.old\.test/);
});

test('unknown, refused and unresolvable host names get distinct errors without a connection', async () => {
  const ann = await registerTestUser(world.app);
  const before = world.provider.connected.length;
  for (const host of ['nowhere.test', 'imap.nowhere.invalid', 'gmail'])
    expect(await look(ann, { host })).toBe('422 imap_unknown_host');
  expect(await look(ann, { host: 'imap.company.lan' })).toBe('422 imap_address_refused');
  // A temporary DNS failure says nothing about the name.
  world.provider.names['imap.away.test'] = () => {
    throw Object.assign(new Error('no answer'), { code: 'ESERVFAIL' });
  };
  expect(await look(ann, { host: 'imap.away.test' })).toBe('422 imap_unreachable');
  expect(world.provider.connected.length).toBe(before);
});

test('input fields cannot inject a line break into a command', async () => {
  const ann = await registerTestUser(world.app);
  for (const change of [{ user: 'a\r\nb' }, { password: 'a\nb' }, { host: 'a b' }, { host: 'a/b' }])
    expect(await look(ann, change)).toBe('400 malformed');
  expect(await codeOf(world.start(ann, { folders: ['a\r\nb'] }))).toBe('400 malformed');
});

type Speak = (text: string) => void;

test.each([
  ['a line without end', (write: Speak) => write('* 1 FETCH '.padEnd(24 * 1024 * 1024, 'x'))],
  ['a text of more than was agreed', (write: Speak) => write('* 1 FETCH (UID 1 BODY[] {99999999999}\r\n')],
  [
    'brackets in brackets',
    (write: Speak, tag: string) => write(`* 1 FETCH ${'('.repeat(100_000)}\r\n${tag} OK done\r\n`),
  ],
] as const)('%s ends only the connection, and the rest is imported', async (_, speak) => {
  const ann = await registerTestUser(world.app);
  world.provider.tls.mailboxes = [{ name: 'INBOX', mails: [mail(1, 'Bad'), mail(2, 'Good')] }];
  world.provider.tls.answer = ({ tag, name, rest, write }) => {
    if (name !== 'UID' || !/^FETCH 1(:\d+)? .*BODY/.test(rest)) return false;
    speak(write, tag);
    return true;
  };
  const id = await world.start(ann);
  await readToTheEnd(ann, id);
  expect(await world.statusOf(ann, id)).toMatchObject({
    status: 'done',
    imported: 1,
    failed: 1,
    errors: [{ item: 1, reason: 'damaged' }],
  });
});

test('a message that always breaks the connection is skipped', async () => {
  const ann = await registerTestUser(world.app);
  const subjects = ['One', 'Two', 'Three', 'Four', 'Five'];
  world.provider.tls.mailboxes = [{ name: 'INBOX', mails: subjects.map((one, at) => mail(at + 1, one)) }];
  world.provider.tls.answer = ({ name, rest, socket, write }) => {
    if (name !== 'UID' || !/^FETCH .*BODY/.test(rest) || !/^FETCH (3|[12]:[345]|3:\d)\b/.test(rest))
      return false;
    write('* 3 FETCH (UID 3 BODY[] {500}\r\nHalf of it');
    socket.end();
    return true;
  };
  const before = world.provider.tls.connections();
  const id = await world.start(ann);
  await readToTheEnd(ann, id);
  expect(await world.statusOf(ann, id)).toMatchObject({
    status: 'done',
    imported: 4,
    failed: 1,
    errors: [{ item: 3, reason: 'damaged' }],
  });
  // The first interruption only switches the import to fetching one message at a time.
  expect(world.provider.tls.connections() - before).toBeLessThanOrEqual(IMAP_BREAKS_PER_MESSAGE + 2);
});

test('a folder whose UIDVALIDITY changed is read again without duplicates', async () => {
  const ann = await registerTestUser(world.app);
  const inbox = {
    name: 'INBOX',
    uidValidity: 7,
    mails: [mail(11, 'One'), mail(12, 'Two'), { uid: 13, raw: 'Subject: nameless\r\n\r\nText\r\n' }],
  };
  world.provider.tls.mailboxes = [inbox];
  const id = await world.start(ann);
  await world.readAll({ turnMs: 0 }, 2);
  expect(await world.statusOf(ann, id)).toMatchObject({ status: 'running', processed: 2, imported: 2 });
  inbox.uidValidity = 8;
  inbox.mails = inbox.mails.map((one, at) => ({ ...one, uid: 3 - at })).toReversed();
  await world.readAll();
  expect(await world.statusOf(ann, id)).toMatchObject({ status: 'done', imported: 3, skipped: 2, total: 5 });
  expect((await ann.client.mail.query({})).count).toBe(3);
});

test('sizes and numbers claimed by the server are not trusted', async () => {
  const ann = await registerTestUser(world.app);
  world.provider.tls.mailboxes = [
    {
      name: 'INBOX',
      mails: [
        mail(1, 'Vast', { saidBytes: 60 * 1024 * 1024 }),
        mail(2, 'Small', { saidBytes: 1 }),
        mail(3, 'Gone'),
      ],
    },
  ];
  world.provider.tls.answer = ({ tag, name, rest, write }) => {
    if (name === 'STATUS') write(`* STATUS INBOX (MESSAGES 4294967295)\r\n${tag} OK done\r\n`);
    // Returns messages that were not requested, and one of them twice.
    if (name === 'UID' && /^FETCH .*BODY/.test(rest))
      write('* 9 FETCH (UID 9 BODY[] {2}\r\nhi)\r\n* 2 FETCH (UID 2 BODY[] {0}\r\n)\r\n');
    return name === 'STATUS';
  };
  const id = await world.start(ann);
  await world.readAll();
  const status = await world.statusOf(ann, id);
  expect(status).toMatchObject({ status: 'done', total: 3, processed: 3, imported: 1 });
  expect(status.errors[0]).toEqual({ item: 1, reason: 'too_large' });
});

test('a missing or unreadable folder is reported once, and the others are read', async () => {
  const ann = await registerTestUser(world.app);
  world.provider.tls.mailboxes = [
    { name: 'INBOX', mails: [mail(1, 'One')] },
    { name: 'Locked', mails: [mail(1, 'Two')] },
    { name: 'Open', mails: [mail(1, 'Three')] },
  ];
  world.provider.tls.answer = ({ tag, name, rest, write }) => {
    const isLocked = name === 'EXAMINE' && rest.includes('Locked');
    if (isLocked) write(`${tag} NO [NOPERM] not for you\r\n`);
    return isLocked;
  };
  const id = await world.start(ann);
  await world.readAll({ turnMs: 0 });
  expect(await world.statusOf(ann, id)).toMatchObject({
    status: 'done',
    imported: 2,
    failed: 1,
    errors: [{ item: 2, reason: 'unsupported' }],
  });
});

test('too many folders are refused', async () => {
  const ann = await registerTestUser(world.app);
  world.provider.tls.mailboxes = Array.from({ length: 2_001 }, (_, at) => ({ name: `f${at}`, mails: [] }));
  expect(await look(ann, {})).toBe('422 imap_too_large');
});

test('an unreachable server is retried with growing waits until the import fails and drops the password', async () => {
  const ann = await registerTestUser(world.app);
  world.provider.tls.greeting = '* BYE too busy';
  const id = await world.start(ann);
  await world.readAll();
  expect(await world.statusOf(ann, id)).toMatchObject({ status: 'running', failure: null });
  const before = world.provider.tls.connections();
  await world.readAll();
  expect(world.provider.tls.connections()).toBe(before);
  await readToTheEnd(ann, id);
  expect(await world.statusOf(ann, id)).toMatchObject({ status: 'failed', failure: 'unreachable' });
  expect(world.provider.tls.connections() - before).toBe(IMAP_BREAKS_MAX - 1);
  expect(await world.rowsWith(world.login.password)).toEqual([]);
});

test('an import that exceeds its time limit fails', async () => {
  const ann = await registerTestUser(world.app);
  const id = await world.start(ann);
  world.clock.advance(IMAP_IMPORT_MS + 1);
  await world.readAll();
  // Her session has ended as well.
  const row = await world.app.db
    .selectFrom('server_imports')
    .select(['status', 'failure', 'secret_sealed'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(row).toEqual({ status: 'failed', failure: 'too_slow', secret_sealed: null });
});

test('an unresponsive server does not block the shutdown', async () => {
  const ann = await registerTestUser(world.app);
  world.provider.tls.answer = ({ name }) => name === 'LIST';
  const id = await world.start(ann);
  const running = startServerImports(world.app.deps, { pollMs: 20 });
  await expect.poll(() => world.provider.tls.commands.some(one => one.startsWith('LIST'))).toBe(true);
  await running.close();
  expect(await world.statusOf(ann, id)).toMatchObject({ status: 'running', processed: 0 });
  await ann.client.server_imports.cancel({ id });
});
