import { TAGS_MAX } from '@keyfold/contract/limits';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { codeOf } from '../../../../tests/harness/codes.ts';
import { makeNewMail, readCounters, type TestMail } from '../../../../tests/harness/mailbox.ts';
import { registerTestUser, type TestUser } from '../../../../tests/harness/users.ts';
import { storeMails } from '../../mailbox/messages/index.ts';

let app: TestApp;
let ann: TestUser;
let bob: TestUser;
beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  ann = await registerTestUser(app);
  bob = await registerTestUser(app);
});
afterAll(() => app.close());

async function deliver({ email }: TestUser, mail: TestMail = {}): Promise<string> {
  const { user_id } = await app.db
    .selectFrom('addresses')
    .select('user_id')
    .where('address', '=', email)
    .executeTakeFirstOrThrow();
  const [stored] = await app.db
    .transaction()
    .execute(trx => storeMails(trx, [makeNewMail(user_id, { ownAddress: email, ...mail })]));
  return stored?.id ?? '';
}

const save = ({ client }: TestUser, name: string, color = 'gray') =>
  client.tags.save({ tag: { name, color: color as 'gray' } });
const tagsOf = async ({ client }: TestUser) => (await client.auth.check({})).data.tags;
const tagsOnMail = async ({ client }: TestUser, id: string) => (await client.mail.one({ id })).data.tags;
async function expectRightCounters() {
  const { kept, recounted } = await readCounters(app.db);
  expect(kept).toEqual(recounted);
}

test('all spellings of a name share one tag, and an unknown color becomes gray', async () => {
  expect((await save(ann, '  Ämter   und\tPost ', 'blue')).data).toEqual({
    name: 'Ämter und Post',
    color: 'blue',
  });
  expect((await save(ann, 'A\u0308MTER UND POST', 'mint')).data).toEqual({
    name: 'Ämter und Post',
    color: 'mint',
  });
  expect((await save(ann, 'Other', 'ultraviolet')).data.color).toBe('gray');
  expect(await tagsOf(ann)).toEqual([
    { name: 'Other', color: 'gray' },
    { name: 'Ämter und Post', color: 'mint' },
  ]);
  expect(await tagsOf(bob)).toEqual([]);
});

test('a tag cannot have the name of a folder, a path segment such as .. or control characters', async () => {
  for (const name of ['recieved', 'Received', 'STARRED', 'all', '..', '.'])
    expect(await codeOf(save(ann, name)), name).toBe('422 tag_refused');
  for (const name of [' ', 'zero\0byte', 'bell\u0007', '\ud800'])
    expect(await codeOf(save(ann, name)), JSON.stringify(name)).toBe('400 malformed');
  await save(ann, 'fine');
  const renamed = ann.client.tags.rename({ name: 'fine', tag: { name: 'Drafts', color: 'blue' } });
  expect(await codeOf(renamed)).toBe('422 tag_refused');
});

test('the number of tags is limited, and existing tags can still be changed at the limit', async () => {
  for (let number = 0; number < TAGS_MAX; number++) await save(ann, `tag ${number}`);
  expect(await codeOf(save(ann, 'one more'))).toBe('422 limit_reached');
  expect((await save(ann, 'Tag 7', 'pink')).data).toEqual({ name: 'tag 7', color: 'pink' });
});

test('a renamed tag stays on its messages, and a taken name or an unknown tag is refused', async () => {
  await save(ann, 'work');
  await save(ann, 'play');
  const id = await deliver(ann);
  await ann.client.tags.tag_email({ email_id: [id], tags: ['work'] });
  expect(await codeOf(ann.client.tags.rename({ name: 'work', tag: { name: 'PLAY', color: 'blue' } }))).toBe(
    '409 tag_taken',
  );
  expect(await codeOf(ann.client.tags.rename({ name: 'gone', tag: { name: 'x', color: 'blue' } }))).toBe(
    '404 not_found',
  );
  expect(await codeOf(bob.client.tags.rename({ name: 'work', tag: { name: 'x', color: 'blue' } }))).toBe(
    '404 not_found',
  );
  await ann.client.tags.rename({ name: 'work', tag: { name: 'Work', color: 'peach' } });
  expect(await tagsOnMail(ann, id)).toEqual(['Work']);
  expect((await ann.client.mail.query({ tag: ['Work'] })).count).toBe(1);
  expect((await ann.client.mail.query({ tag: ['work'] })).count).toBe(0);
});

test('tagging replaces the tags of all named messages or of none', async () => {
  await save(ann, 'one', 'peach');
  await save(ann, 'two');
  await save(bob, 'only bob');
  const ids = [await deliver(ann), await deliver(ann, { flags: { read: true } })];
  const foreign = await deliver(bob);
  expect((await ann.client.tags.tag_email({ email_id: ids, tags: ['one', 'ONE', 'two'] })).data.updated).toBe(
    2,
  );
  expect(await tagsOnMail(ann, ids[0] ?? '')).toEqual(['one', 'two']);
  for (const [email_id, tags] of [
    [[...ids, foreign], ['one']],
    [ids, ['one', 'nowhere']],
    [ids, ['only bob']],
    [foreign, []],
  ] as const)
    expect(await codeOf(ann.client.tags.tag_email({ email_id: [email_id].flat(), tags: [...tags] }))).toBe(
      '404 not_found',
    );
  expect(await tagsOnMail(ann, ids[1] ?? '')).toEqual(['one', 'two']);
  await ann.client.tags.tag_email({ email_id: ids, tags: ['two'] });
  expect((await ann.client.mail.counts({})).data.tags).toEqual({
    one: { total: 0, unread: 0, color: 'peach' },
    two: { total: 2, unread: 1, color: 'gray' },
  });
  await expectRightCounters();
});

test('removing a tag returns how many messages had it, and a new tag of that name starts empty', async () => {
  await save(ann, 'done');
  await save(ann, 'kept');
  const ids = [await deliver(ann), await deliver(ann)];
  await ann.client.tags.tag_email({ email_id: ids, tags: ['done', 'kept'] });
  expect(await codeOf(bob.client.tags.remove({ name: 'done' }))).toBe('404 not_found');
  expect((await ann.client.tags.remove({ name: 'Done' })).data.updated).toBe(2);
  expect(await codeOf(ann.client.tags.remove({ name: 'done' }))).toBe('404 not_found');
  expect(await tagsOnMail(ann, ids[0] ?? '')).toEqual(['kept']);
  await save(ann, 'done');
  expect((await ann.client.mail.query({ tag: ['done'] })).count).toBe(0);
  await expectRightCounters();
});

test('removing a tag while it is being assigned leaves neither rows nor counters behind', async () => {
  const ids = await Promise.all(Array.from({ length: 8 }, () => deliver(ann)));
  for (let round = 0; round < 5; round++) {
    await save(ann, 'brief');
    await Promise.all([
      ...ids.map(id => codeOf(ann.client.tags.tag_email({ email_id: [id], tags: ['brief'] }))),
      ann.client.tags.remove({ name: 'brief' }),
    ]);
    const stray = await app.db
      .selectFrom('mail_tags as g')
      .leftJoin('tags as t', join => join.onRef('t.user_id', '=', 'g.user_id').onRef('t.id', '=', 'g.tag_id'))
      .select('g.mail_id')
      .where('t.id', 'is', null)
      .execute();
    expect(stray).toEqual([]);
  }
  await expectRightCounters();
});
