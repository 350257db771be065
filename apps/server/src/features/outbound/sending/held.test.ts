import { createHash, randomBytes } from 'node:crypto';
import { findScheduledOf, scheduledBccRecord } from '@keyfold/contract';
import { createFileKey, sealWholeAttachment } from '@keyfold/crypto/attachment';
import { createMessageKey, wrapForSelf } from '@keyfold/crypto/message';
import { describe, expect, test, vi } from 'vitest';
import { startTestApp } from '../../../../tests/harness/app.ts';
import { codeOf } from '../../../../tests/harness/codes.ts';
import {
  countRows,
  expectNothingHeld,
  hold,
  mailOf,
  received,
  releaseDue,
  useHeldTest,
} from '../../../../tests/harness/held.ts';
import { openMail, sealTestMessage } from '../../../../tests/harness/sending.ts';
import { registerTestUser } from '../../../../tests/harness/users.ts';
import { startReleases } from '../../../jobs/releases.ts';
import { removeMails } from '../../mailbox/messages/index.ts';
import { createReleaser } from './release.ts';

const HOUR_MS = 3_600_000;

const held = useHeldTest();

describe('a held send', () => {
  test('is visible only to its sender until it is due, and then reaches all recipients', async () => {
    const before = await held.ben.client.mail.check_new({});
    const sent = await hold(held.ann, { to: [held.ben], cc: [held.cat], text: 'In a moment' });
    const copy = await mailOf(held.ann, sent.id);
    expect(copy).toMatchObject({ sent: true, scheduled: true, draft: false });
    expect(copy.send_at).toBe(new Date(held.clock.now().getTime() + 10_000).toISOString());
    await releaseDue(held);
    expect(await received(held.ben, sent.message_id)).toEqual([]);
    const folders = (await held.ann.client.mail.counts({})).data.folders;
    expect(folders.scheduled?.total).toBe(1);

    held.clock.advance(9_999);
    await releaseDue(held);
    expect(await received(held.ben, sent.message_id)).toEqual([]);
    const after = await held.ben.client.mail.check_new({ last_check: before.last_check });
    expect(after.has_new_emails).toBe(false);
    held.clock.advance(1);
    await releaseDue(held);
    for (const reader of [held.ben, held.cat]) {
      const [mail] = await received(reader, sent.message_id);
      expect(mail && (await openMail(reader, mail))).toContain('In a moment');
      expect(mail?.received_at).toBe(held.clock.now().toISOString());
    }
    expect(await mailOf(held.ann, sent.id)).toMatchObject({ sent: true, scheduled: false, send_at: null });
    await expectNothingHeld(held);
    await releaseDue(held);
    expect(await received(held.ben, sent.message_id)).toHaveLength(1);
  });

  test('is released at the time its sender chose, with that date in its headers, and joins its conversation', async () => {
    const first = await hold(held.ben, { to: [held.ann] }, { undo_seconds: 0 });
    const sendAt = new Date(Math.floor(held.clock.now().getTime() / 1000) * 1000 + 3 * HOUR_MS);
    const sent = await hold(
      held.ann,
      { to: [held.ben], bcc: [held.cat] },
      {
        send_at: sendAt.toISOString(),
        in_reply_to: first.message_id,
        references: [first.message_id],
      },
    );
    expect((await mailOf(held.ann, sent.id)).send_at).toBe(sendAt.toISOString());
    held.clock.advance(3 * HOUR_MS + 5_000);
    await releaseDue(held);
    const rows = await held.app.db
      .selectFrom('mails')
      .select(['user_id', 'headers', 'thread_id', 'flags'])
      .where('message_id', '=', sent.message_id)
      .execute();
    expect(rows).toHaveLength(3);
    for (const row of rows) expect(row.headers).toContain(`Date: ${formatted(sendAt)}`);
    expect(rows.filter(row => row.headers.includes(held.cat.email))).toHaveLength(1);
    const firstRow = await held.app.db
      .selectFrom('mails')
      .select('thread_id')
      .where('message_id', '=', first.message_id)
      .executeTakeFirstOrThrow();
    expect(rows.filter(row => row.thread_id === firstRow.thread_id).length).toBeGreaterThan(1);
  });

  test('is logged as queued under its id at its release, not before', async () => {
    await hold(held.ann, { to: ['bob@outside.test'] });
    held.clock.advance(15_000);
    const queued = vi.spyOn(held.app.deps.logger, 'info');
    await releaseDue(held);
    const rows = await held.app.db.selectFrom('outbound_messages').select('id').execute();
    const ids = queued.mock.calls.flatMap(([fields, text]) =>
      String(text) === 'mail queued' ? [(fields as unknown as { id: string }).id] : [],
    );
    queued.mockRestore();
    expect(ids).toHaveLength(1);
    expect(rows.map(({ id }) => id)).toContain(ids[0]);
  });

  test('is sent at once without an undo window or when its time is in the past', async () => {
    const sent = await hold(
      held.ann,
      { to: [held.ben] },
      {
        undo_seconds: 0,
        send_at: new Date(held.clock.now().getTime() - 1_000).toISOString(),
      },
    );
    expect(await received(held.ben, sent.message_id)).toHaveLength(1);
    await expect(
      hold(
        held.ann,
        { to: [held.ben] },
        { send_at: new Date(held.clock.now().getTime() + 367 * 24 * HOUR_MS).toISOString() },
      ),
    ).rejects.toMatchObject({ code: 'malformed' });
    await expectNothingHeld(held);
  });

  test('returns the same response to a repeated request before release, after release and after recall', async () => {
    const request = { ...(await sealTestMessage(held.ann, { to: [held.ben] })), undo_seconds: 10 };
    const ask = async () =>
      (await held.ann.client.sending.send_private(request, { headers: { 'idempotency-key': 'held-again' } }))
        .data;
    const sent = await ask();
    expect(await ask()).toEqual(sent);
    held.clock.advance(10_000);
    await releaseDue(held);
    expect(await ask()).toEqual(sent);
    await releaseDue(held);
    expect(await received(held.ben, sent.message_id)).toHaveLength(1);
    const recalled = { ...(await sealTestMessage(held.ann, { to: [held.ben] })), undo_seconds: 10 };
    const again = async () =>
      (await held.ann.client.sending.send_private(recalled, { headers: { 'idempotency-key': 'recalled' } }))
        .data;
    const answer = await again();
    await held.ann.client.sending.unsend({ id: answer.id });
    expect(await again()).toEqual(answer);
    await expectNothingHeld(held);
  });

  test('to an outside address is queued only when due, and held without a readable address', async () => {
    const before = await held.app.db.selectFrom('outbound_recipients').selectAll().execute();
    const sent = await hold(held.ann, { to: [held.ben, 'friend@outside.test'], text: 'Both of you' });
    expect(await held.app.db.selectFrom('outbound_recipients').selectAll().execute()).toEqual(before);
    const [row] = await held.app.db.selectFrom('held_recipients').selectAll().execute();
    expect(row?.envelope_sealed.toString('latin1')).not.toContain('outside.test');
    held.clock.advance(10_000);
    await releaseDue(held);
    const queued = await held.app.db.selectFrom('outbound_recipients').selectAll().execute();
    expect(queued).toHaveLength(before.length + 1);
    expect(queued.at(-1)?.next_attempt_at).toEqual(held.clock.now());
    expect(await received(held.ben, sent.message_id)).toHaveLength(1);
    await expectNothingHeld(held);
  });

  test('is released on time by its own timer, without polling', async () => {
    const app = await startTestApp();
    const running = startReleases(app.deps, { pollMs: 3_600_000 });
    try {
      const [dan, eve] = [await registerTestUser(app), await registerTestUser(app)];
      const later = await hold(dan, { to: [eve] }, { undo_seconds: 30 });
      const sent = await hold(dan, { to: [eve] }, { undo_seconds: 1 });
      const due = new Date((await mailOf(dan, sent.id)).send_at ?? 0).getTime();
      await expect
        .poll(async () => (await received(eve, sent.message_id)).length, { interval: 50, timeout: 15_000 })
        .toBe(1);
      const [mail] = await received(eve, sent.message_id);
      const lateMs = new Date(mail?.received_at ?? 0).getTime() - due;
      expect(lateMs).toBeGreaterThanOrEqual(0);
      expect(await received(eve, later.message_id)).toEqual([]);
    } finally {
      await running.close();
      await app.close();
    }
  });

  test('is released by the poller when it is due', async () => {
    const running = startReleases(held.app.deps, { pollMs: 20 });
    try {
      const sent = await hold(held.ann, { to: [held.ben] }, { undo_seconds: 30 });
      expect(await received(held.ben, sent.message_id)).toEqual([]);
      held.clock.advance(30_000);
      await expect.poll(async () => (await received(held.ben, sent.message_id)).length).toBe(1);
    } finally {
      await running.close();
    }
  });
});

function formatted(date: Date): string {
  const [, day, month, year, time] = /, (\d+) (\w+) (\d+) ([\d:]+)/.exec(date.toUTCString()) ?? [];
  return `${date.toUTCString().slice(0, 3)}, ${Number(day)} ${month} ${year} ${time}`;
}

describe('unsend', () => {
  test('turns a held send into a draft that its sender can open and send again, with its files', async () => {
    const messageKey = createMessageKey();
    const nothing = createHash('sha256').update('').digest();
    const self = {
      email: held.ann.email,
      sent_key: held.ann.identity.sent_key,
      key_id: held.ann.identity.key_id,
    };
    const wrap = await wrapForSelf(messageKey, nothing, self);
    const { draft_id } = (
      await held.ann.client.sending.empty({
        key_used: wrap.key_used,
        encrypted_key: wrap.second_stage_key_encrypted,
        salt: wrap.salt,
      })
    ).data;
    const bytes = Buffer.from('a file');
    const container = await sealWholeAttachment({
      messageKey,
      fileKey: createFileKey(),
      meta: { name: 'a', type: 'text/plain', size: bytes.length },
      bytes,
    });
    const file = (await held.ann.client.sending.upload({ draft_id }, { file: new Blob([container]) })).data;
    const message = { to: [held.ben], bcc: [held.cat], text: 'Wait', messageKey };
    const sent = await hold(held.ann, message, { draft_id, undo_seconds: 10 });
    held.clock.advance(5_000);
    expect((await held.ann.client.sending.unsend({ id: sent.id })).data).toEqual({ draft_id: sent.id });
    // The request is repeated because its response was lost.
    expect((await held.ann.client.sending.unsend({ id: sent.id })).data).toEqual({ draft_id: sent.id });
    const draft = await mailOf(held.ann, sent.id);
    expect(draft).toMatchObject({ draft: true, sent: false, scheduled: false, send_at: null, public: false });
    expect(draft.received_at).toBe(held.clock.now().toISOString());
    expect(draft.headers).toContain(`Bcc: ${held.cat.email}`);
    expect(draft.attachments).toEqual([{ id: file.id, size: file.size }]);
    expect(await openMail(held.ann, draft)).toContain('Wait');
    await expectNothingHeld(held);
    held.clock.advance(HOUR_MS);
    await releaseDue(held);
    expect(await received(held.ben, sent.message_id)).toEqual([]);

    const again = await hold(held.ann, message, { draft_id: sent.id, undo_seconds: 0 });
    const [mail] = await received(held.ben, again.message_id);
    expect(mail?.attachments).toHaveLength(1);
    await expect(mailOf(held.ann, sent.id)).rejects.toMatchObject({ status: 404 });
  });

  test('is refused after the release, and reveals nothing to other users', async () => {
    const sent = await hold(held.ann, { to: [held.ben] });
    await expect(held.ben.client.sending.unsend({ id: sent.id })).rejects.toMatchObject({ status: 404 });
    await expect(held.ann.client.sending.unsend({ id: 'no-such-mail' })).rejects.toMatchObject({
      status: 404,
    });
    held.clock.advance(10_000);
    await releaseDue(held);
    await expect(held.ann.client.sending.unsend({ id: sent.id })).rejects.toMatchObject({
      status: 409,
      code: 'sent_already',
    });
    const [mail] = await received(held.ben, sent.message_id);
    await expect(held.ben.client.sending.unsend({ id: mail?.id ?? '' })).rejects.toMatchObject({
      status: 404,
    });
  });

  test('removes a message to an outside address from the queue completely', async () => {
    const messages = await countRows(held, 'outbound_messages');
    const sent = await hold(held.ann, { to: ['friend@outside.test'] });
    expect(await countRows(held, 'outbound_messages')).toBe(messages + 1);
    await held.ann.client.sending.unsend({ id: sent.id });
    expect(await countRows(held, 'outbound_messages')).toBe(messages);
    await expectNothingHeld(held);
  });

  test('and a concurrent release never both succeed', async () => {
    const outcomes = { recalled: 0, sent: 0 };
    for (let round = 0; round < 20; round++) {
      const sent = await hold(
        held.ann,
        { to: [held.ben, held.cat], text: `Round ${round}` },
        { undo_seconds: 1 },
      );
      held.clock.advance(1_000);
      const releasers = Array.from({ length: 3 }, () => createReleaser(held.app.deps));
      const pause = () => new Promise(resolve => setTimeout(resolve, Math.random() * 8));
      const [recall] = await Promise.allSettled([
        pause().then(() => held.ann.client.sending.unsend({ id: sent.id })),
        pause().then(() => held.ann.client.sending.unsend({ id: sent.id })),
        ...releasers.map(releaser => pause().then(() => releaser.releaseNext())),
      ]);
      await releaseDue(held);
      const isRecalled = recall?.status === 'fulfilled';
      outcomes[isRecalled ? 'recalled' : 'sent'] += 1;
      for (const reader of [held.ben, held.cat])
        expect(await received(reader, sent.message_id)).toHaveLength(isRecalled ? 0 : 1);
      expect(await mailOf(held.ann, sent.id)).toMatchObject({
        draft: isRecalled,
        sent: !isRecalled,
        scheduled: false,
      });
    }
    await expectNothingHeld(held);
    expect(outcomes.recalled + outcomes.sent).toBe(20);
  });
});

describe('a client record attached to a scheduled message', () => {
  const keep = (mailId: string) =>
    held.ann.client.records.save({
      ...scheduledBccRecord(mailId),
      version: 0,
      sealed: randomBytes(40).toString('base64'),
      key_used: held.ann.identity.key_id,
    });
  const kept = async () =>
    (await held.ann.client.records.list({ kind: 'setting' })).data.map(({ id }) =>
      findScheduledOf('setting', id),
    );

  test('is deleted when the message is released or becomes a draft, and other records are kept', async () => {
    const [gone, recalled, deleted, erased, waiting] = await Promise.all(
      [1, 1, 1, 1, 2].map(hours => {
        const sendAt = new Date(held.clock.now().getTime() + hours * HOUR_MS).toISOString();
        return hold(held.ann, { to: [held.ben], bcc: [held.cat] }, { send_at: sendAt });
      }),
    );
    if (!gone || !recalled || !deleted || !erased || !waiting) throw new Error('not held');
    await held.ann.client.records.save({
      kind: 'setting',
      id: 'other',
      version: 0,
      sealed: randomBytes(40).toString('base64'),
      key_used: held.ann.identity.key_id,
    });
    for (const { id } of [gone, recalled, deleted, erased, waiting]) await keep(id);
    await held.ann.client.sending.unsend({ id: recalled.id });
    await held.ann.client.mail.remove({ email_id: deleted.id });
    await held.app.db
      .transaction()
      .execute(async trx =>
        removeMails(
          trx,
          (await trx.selectFrom('held_sends').select('user_id').executeTakeFirstOrThrow()).user_id,
          [erased.id],
        ),
      );
    held.clock.advance(HOUR_MS);
    await releaseDue(held);
    // These are drafts now and do not contain their recipients themselves.
    expect(new Set(await kept())).toEqual(new Set([recalled.id, deleted.id, waiting.id, null]));
    const { body, summary, to } = await sealTestMessage(held.ann, { to: [held.ben] });
    const own = to.find(({ sender }) => sender);
    if (own === undefined) throw new Error('no own copy');
    const { encrypted_key = '', salt = '', key_used = '' } = own;
    const used_address = held.ann.email;
    await held.ann.client.sending.draft({
      draft_id: recalled.id,
      used_address,
      body,
      summary,
      encrypted_key,
      salt,
      key_used,
    });
    await held.ann.client.mail.remove({ email_id: deleted.id });
    expect(new Set(await kept())).toEqual(new Set([waiting.id, null]));
    held.clock.advance(HOUR_MS);
    await releaseDue(held);
    expect(await kept()).toEqual([null]);
  });

  test('is refused for a message that is no longer scheduled or belongs to another user', async () => {
    const sent = await hold(held.ann, { to: [held.ben] });
    await held.ann.client.sending.unsend({ id: sent.id });
    const others = await hold(held.ben, { to: [held.ann] });
    for (const id of [sent.id, others.id, 'nothing', `${others.id}x`])
      expect(await codeOf(keep(id))).toBe('404 not_found');
  });
});
