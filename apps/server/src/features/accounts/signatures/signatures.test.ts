import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { codeOf } from '../../../../tests/harness/codes.ts';
import { sealTestMessage } from '../../../../tests/harness/sending.ts';
import { registerTestUser, type TestUser } from '../../../../tests/harness/users.ts';
import { SIGNATURES_MAX } from '../../../base/limits.ts';

let app: TestApp;
let ann: TestUser;
let bob: TestUser;
beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  [ann, bob] = await Promise.all([registerTestUser(app), registerTestUser(app)]);
});
afterAll(() => app.close());

const make = async (user: TestUser, name: string, isDefault = false) =>
  (
    await user.client.signatures.create({
      name,
      html_content: `<p>${name}</p>`,
      plain_text: name,
      is_default: isDefault,
    })
  ).data;
const list = async (user: TestUser) => (await user.client.signatures.list({})).data;

test('signatures are created, listed by name, changed and removed, and stored encrypted', async () => {
  const work = await make(ann, 'Work in Zanzibar');
  const home = await make(ann, 'Home', true);
  expect(await list(ann)).toEqual([home, work]);
  const changed = (
    await ann.client.signatures.change({
      id: work.id,
      name: 'At work',
      html_content: '<p>W</p>',
      plain_text: 'W',
      is_default: false,
    })
  ).data;
  expect((await list(ann)).map(({ name }) => name)).toEqual(['At work', 'Home']);
  const rows = await app.db.selectFrom('signatures').selectAll().execute();
  for (const row of rows) expect(row.content_sealed.toString('latin1')).not.toContain('At work');
  await ann.client.signatures.remove({ id: changed.id });
  expect(await list(ann)).toEqual([home]);
});

test('at most one signature is the default, even after concurrent saves', async () => {
  const first = await make(ann, 'First', true);
  await make(ann, 'Second', true);
  expect((await list(ann)).filter(one => one.is_default).map(one => one.name)).toEqual(['Second']);
  await Promise.all(Array.from({ length: 6 }, (_, index) => make(ann, `Race ${index}`, true)));
  expect((await list(ann)).filter(one => one.is_default)).toHaveLength(1);
  await ann.client.signatures.change({ ...first, is_default: true });
  expect((await list(ann)).filter(one => one.is_default).map(one => one.id)).toEqual([first.id]);
});

test('the server also sanitizes HTML', async () => {
  const { data } = await ann.client.signatures.create({
    name: 'Evil',
    html_content:
      '<p onclick="x()">Hi <script>alert(1)</script><img src="https://tracker.test/a.gif"><a href="javascript:x">y</a></p>',
    plain_text: 'Hi',
    is_default: false,
  });
  expect(data.html_content).toBe('<p>Hi <a>y</a></p>');
  expect((await list(ann))[0]?.html_content).toBe('<p>Hi <a>y</a></p>');
});

test('another user’s signature is not found, and their number is limited', async () => {
  const { id } = await make(ann, 'Mine');
  const content = { name: 'x', html_content: '', plain_text: '', is_default: true };
  expect(await codeOf(bob.client.signatures.change({ id, ...content }))).toBe('404 not_found');
  expect(await codeOf(bob.client.signatures.remove({ id }))).toBe('404 not_found');
  expect(await codeOf(bob.client.signatures.remove({ id: 'nonsense' }))).toBe('404 not_found');
  expect(await list(bob)).toEqual([]);
  for (let index = 1; index < SIGNATURES_MAX; index++) await make(ann, `S ${index}`);
  expect(await codeOf(make(ann, 'One more'))).toBe('422 limit_reached');
});

test('a message may name only a signature of its sender, even a removed one', async () => {
  const { id } = await make(ann, 'Mine');
  const message = await sealTestMessage(ann, { to: [bob] });
  await ann.client.sending.send_private({ ...message, signature_id: id });
  const { id: gone } = await make(ann, 'Gone');
  await ann.client.signatures.remove({ id: gone });
  await ann.client.sending.send_private({
    ...(await sealTestMessage(ann, { to: [bob] })),
    signature_id: gone,
  });
  const foreign = await sealTestMessage(bob, { to: [ann] });
  expect(await codeOf(bob.client.sending.send_private({ ...foreign, signature_id: id }))).toBe(
    '404 not_found',
  );
});

test('a DELETE without its body still works', async () => {
  const { id } = await make(ann, 'Mine');
  const reply = await ann.client.fetch(`/user/signatures?id=${id}`, { method: 'DELETE' });
  expect(reply.status).toBe(200);
  expect(await list(ann)).toEqual([]);
});
