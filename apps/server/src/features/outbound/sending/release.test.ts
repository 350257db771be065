import { createOpener } from '@keyfold/crypto/opener';
import { describe, expect, test } from 'vitest';
import {
  expectNothingHeld,
  hold,
  inbox,
  mailOf,
  received,
  releaseDue,
  useHeldTest,
} from '../../../../tests/harness/held.ts';
import {
  createTestKeys,
  registerTestUser,
  type TestUser,
  userIdOf,
} from '../../../../tests/harness/users.ts';

const HOUR_MS = 3_600_000;

const held = useHeldTest();

describe('at the release', () => {
  const newestNotice = async (user: TestUser): Promise<string> => {
    const [mail] = await inbox(user);
    const opener = await createOpener(user.identity);
    const { payload } = await opener.open({ ...mail, body: mail?.body ?? '' });
    return new TextDecoder().decode(payload);
  };
  test('a recipient who is gone, full, suspended or has new keys is reported, and the others get the message', async () => {
    const [gone, full, suspended, rekeyed] = await Promise.all([
      registerTestUser(held.app),
      registerTestUser(held.app),
      registerTestUser(held.app),
      registerTestUser(held.app),
    ]);
    const sent = await hold(held.ann, { to: [gone, full, suspended, rekeyed, held.ben] });
    const { mainKey } = await createTestKeys();
    const rekeyedId = await userIdOf(held.app.db, rekeyed);
    const fullId = await userIdOf(held.app.db, full);
    await held.app.db
      .updateTable('users')
      .set({ main_key: JSON.stringify(mainKey) })
      .where('id', '=', rekeyedId)
      .execute();
    await held.app.db
      .updateTable('users')
      .set({ status: 'suspended' })
      .where('id', '=', await userIdOf(held.app.db, suspended))
      .execute();
    await held.app.db.updateTable('users').set({ bonus_bytes: -10e12 }).where('id', '=', fullId).execute();
    await held.app.db.deleteFrom('addresses').where('address', '=', gone.email).execute();
    held.clock.advance(10_000);
    await releaseDue(held);
    expect(await received(held.ben, sent.message_id)).toHaveLength(1);
    const delivered = await held.app.db
      .selectFrom('mails')
      .select('user_id')
      .where('message_id', '=', sent.message_id)
      .execute();
    expect(delivered).toHaveLength(2);
    const notice = await newestNotice(held.ann);
    for (const [reader, status] of [
      [gone, '5.1.1'],
      [full, '5.2.2'],
      [suspended, '5.2.1'],
      [rekeyed, '5.7.5'],
    ] as const) {
      expect(notice).toContain(
        `Final-Recipient: rfc822;${reader.email}\r\nAction: failed\r\nStatus: ${status}`,
      );
    }
    expect(notice).toContain(`In-Reply-To: ${sent.message_id}`);
    await expectNothingHeld(held);
  });

  test('a suspended sender gets the message back as a draft, and no recipient gets it', async () => {
    const eve = await registerTestUser(held.app);
    const sent = await hold(eve, { to: [held.ben, 'friend@outside.test'] });
    const queued = (await held.app.db.selectFrom('outbound_recipients').select('id').execute()).length;
    const eveId = await userIdOf(held.app.db, eve);
    await held.app.db.updateTable('users').set({ status: 'suspended' }).where('id', '=', eveId).execute();
    held.clock.advance(10_000);
    await releaseDue(held);
    expect(await received(held.ben, sent.message_id)).toEqual([]);
    expect(await held.app.db.selectFrom('outbound_recipients').select('id').execute()).toHaveLength(queued);
    await held.app.db.updateTable('users').set({ status: 'active' }).where('id', '=', eveId).execute();
    expect(await mailOf(eve, sent.id)).toMatchObject({ draft: true, sent: false });
    const notice = await newestNotice(eve);
    expect(notice).toContain(held.ben.email);
    expect(notice).toContain('friend@outside.test');
    await expectNothingHeld(held);
  });
});

describe('deleting a held message', () => {
  test('recalls it: the message is a draft in Deleted and can be restored', async () => {
    const sent = await hold(held.ann, { to: [held.ben, 'friend@outside.test'] });
    await held.ann.client.mail.remove({ email_id: sent.id });
    expect(await mailOf(held.ann, sent.id)).toMatchObject({
      draft: true,
      deleted: true,
      scheduled: false,
      sent: false,
    });
    await expectNothingHeld(held);
    held.clock.advance(HOUR_MS);
    await releaseDue(held);
    expect(await received(held.ben, sent.message_id)).toEqual([]);
    await held.ann.client.mail.restore({ email_id: sent.id });
    expect(await mailOf(held.ann, sent.id)).toMatchObject({ draft: true, deleted: false });
    await held.ann.client.mail.remove({ email_id: sent.id });
    await expect(mailOf(held.ann, sent.id)).rejects.toMatchObject({ status: 404 });
  });

  test('through any other path also prevents its release', async () => {
    const { removeMails, changeFlags } = await import('../../mailbox/messages/index.ts');
    const removed = await hold(held.ann, { to: [held.ben] });
    const marked = await hold(held.ann, { to: [held.ben] });
    const annId = (await held.app.db.selectFrom('held_sends').select('user_id').executeTakeFirstOrThrow())
      .user_id;
    await held.app.db.transaction().execute(trx => removeMails(trx, annId, [removed.id]));
    await held.app.db
      .transaction()
      .execute(trx =>
        changeFlags(trx, annId, [marked.id], { flags: { deleted: true }, deletedAt: new Date() }),
      );
    held.clock.advance(10_000);
    await releaseDue(held);
    for (const sent of [removed, marked]) expect(await received(held.ben, sent.message_id)).toEqual([]);
    expect(await mailOf(held.ann, marked.id)).toMatchObject({ draft: true, deleted: true });
    await expectNothingHeld(held);
  });
});
