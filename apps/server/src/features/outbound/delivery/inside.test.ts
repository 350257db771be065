import { randomBytes } from 'node:crypto';
import PostalMime from 'postal-mime';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { useDeliveryTest } from '../../../../tests/harness/delivery.ts';
import { openMail } from '../../../../tests/harness/sending.ts';
import { userIdOf } from '../../../../tests/harness/users.ts';

// Our own MX resolves to this machine's address, which is refused: anything sent over SMTP bounces
// with 5.4.4.
const delivery = useDeliveryTest(() => ({ isPrivateMxAllowed: false }));
const domain = 'bens.test';

beforeAll(async () => {
  const { app, ben, dns } = delivery;
  const { data } = await ben.client.domains.register({ domain });
  const proof = data.records.find(({ purpose }) => purpose === 'ownership')?.value ?? '';
  dns.zone[domain] = { MX: [[10, 'mail.keyfold.test']], TXT: [proof] };
  dns.zone['mail.keyfold.test'] = { A: ['127.0.0.1'] };
  await ben.client.domains.health({ domain });
  await ben.client.domains.catchall({ domain, address: ben.email });
  await app.db
    .updateTable('users')
    .set({ is_admin: true, admin_level: 'super' })
    .where('email', '=', ben.email)
    .execute();
});
afterEach(async () => {
  await change('active', 0);
});

async function change(status: 'active' | 'suspended', bonus_bytes: number) {
  const { app, ben } = delivery;
  await app.db.updateTable('users').set({ status, bonus_bytes }).where('email', '=', ben.email).execute();
}

/** Returns Ben's mail, newest first, opened. */
async function bens() {
  const { data } = await delivery.ben.client.mail.query({ sent: false });
  return Promise.all(data.map(async mail => ({ mail, text: await openMail(delivery.ben, mail) })));
}

async function bounceOf(): Promise<string> {
  const { attachments } = await PostalMime.parse((await delivery.newestNotice()) ?? '');
  const part = attachments.find(({ mimeType }) => mimeType === 'message/delivery-status');
  return new TextDecoder().decode(part?.content as ArrayBuffer);
}

test.each([
  ['an unknown name that another catches', `anything@${domain}`],
  ['such a name with a tag', `anything+news@${domain}`],
  ['the postmaster of a user’s domain', `postmaster@${domain}`],
  ['the postmaster of the service', 'postmaster@keyfold.test'],
])('mail from users to %s is delivered internally', async (_what, address) => {
  const before = await bens();
  const { data: keys } = await delivery.ann.client.mail.keys({ users: [address] });
  expect(keys).toEqual([{ email: address, plaintext: true }]);
  const sent = await delivery.send({ to: [address], subject: 'Within', text: `For ${address}` });
  await delivery.settled(0);
  const after = await bens();
  expect(after).toHaveLength(before.length + 1);
  expect(after[0]?.text).toContain(`For ${address}`);
  expect(after[0]?.mail).toMatchObject({
    message_id: sent.message_id,
    from: delivery.ann.email,
    public: true,
    flagged: false,
  });
  // The server knows the author because it checked From against the account.
  expect(after[0]?.mail.headers).toMatch(
    /^Authentication-Results: mail\.keyfold\.test; auth=pass; dmarc=pass/m,
  );
  expect(delivery.newMessages()).toEqual([]);
  expect(await delivery.newestNotice()).toBeNull();
});

test('a message to several such names is stored once and reveals no Bcc recipients', async () => {
  const before = await bens();
  await delivery.send({ to: [`one@${domain}`], cc: ['postmaster@keyfold.test'], bcc: [`two@${domain}`] });
  await delivery.settled(0);
  const after = await bens();
  expect(after).toHaveLength(before.length + 1);
  expect(`${after[0]?.text}${after[0]?.mail.headers}`).not.toContain('two@');
});

test('attachments of internal mail are encrypted like those of incoming mail', async () => {
  const { ann } = delivery;
  const payload = [
    `From: ${ann.email}`,
    'Subject: With a file',
    'Content-Type: multipart/mixed; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'See the file',
    '--b',
    'Content-Type: application/octet-stream; name="large.bin"',
    'Content-Disposition: attachment; filename="large.bin"',
    'Content-Transfer-Encoding: base64',
    '',
    ...(randomBytes(200_000)
      .toString('base64')
      .match(/.{1,76}/g) ?? []),
    '--b--',
    '',
  ].join('\r\n');
  await delivery.send({ to: [`files@${domain}`], payload });
  await delivery.settled(0);
  const [newest] = await bens();
  expect(newest?.text).toContain('See the file');
  expect(newest?.text.length).toBeLessThan(3_000);
  expect(newest?.mail.attachments).toHaveLength(1);
});

test('internal mail from a blocked sender is flagged', async () => {
  const { ann, ben } = delivery;
  await ben.client.security.block({ sender: ann.email, value: true });
  await delivery.send({ to: [`blocked@${domain}`], text: 'Hear me' });
  await delivery.settled(0);
  const { data } = await ben.client.mail.query({ flagged: true });
  expect(data).toHaveLength(1);
  await ben.client.security.block({ sender: ann.email, value: false });
});

test('a suspended mailbox gets the message later, and a full one bounces it', async () => {
  const { app, ben, clock } = delivery;
  const before = await bens();
  await change('suspended', 0);
  await delivery.send({ to: [`later@${domain}`], text: 'Patience' });
  await delivery.settled(1);
  await change('active', 0);
  clock.advance(60_000);
  delivery.wake();
  await delivery.settled(0);
  expect((await bens())[0]?.text).toContain('Patience');
  const userId = await userIdOf(app.db, ben);
  const { used_bytes } = await app.db
    .selectFrom('mailboxes')
    .select('used_bytes')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  await change('active', used_bytes - 5 * 1024 ** 3);
  await delivery.send({ to: [`full@${domain}`] });
  await delivery.settled(0);
  const bounce = await bounceOf();
  expect(bounce).toContain(`Final-Recipient: rfc822;full@${domain}`);
  expect(bounce).toContain('Status: 5.2.2');
  expect(await bens()).toHaveLength(before.length + 1);
});

test('an attempt whose result was lost stores no duplicate', async () => {
  const { app } = delivery;
  const before = await bens();
  await delivery.stop();
  await delivery.send({ to: [`again@${domain}`], text: 'Only once' });
  const rows = await app.db.selectFrom('outbound_recipients').selectAll().execute();
  const messages = await app.db
    .selectFrom('outbound_messages')
    .selectAll()
    .where(
      'id',
      'in',
      rows.map(({ message_id }) => message_id),
    )
    .execute();
  await delivery.start();
  await delivery.settled(0);
  // The message is deleted shortly after the last of its recipients.
  await expect
    .poll(async () => {
      const left = await app.db.selectFrom('outbound_messages').select('id').execute();
      return left.filter(({ id }) => messages.some(message => message.id === id)).length;
    })
    .toBe(0);
  await app.db.insertInto('outbound_messages').values(messages).execute();
  await app.db.insertInto('outbound_recipients').values(rows).execute();
  delivery.wake();
  await delivery.settled(0);
  expect(await bens()).toHaveLength(before.length + 1);
  expect((await bens())[0]?.text).toContain('Only once');
});
