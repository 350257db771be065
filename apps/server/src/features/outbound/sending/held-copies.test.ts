// Two held copies of one message, one sealed and one plaintext (docs/interpretations.md#17), are
// released together and recalled together.
import { describe, expect, test } from 'vitest';
import {
  countRows,
  expectNothingHeld,
  hold,
  inbox,
  mailOf,
  received,
  releaseDue,
  useHeldTest,
} from '../../../../tests/harness/held.ts';
import { openMail } from '../../../../tests/harness/sending.ts';
import { createReleaser } from './release.ts';

const outside = 'friend@outside.test';
const held = useHeldTest();

/** Sends the sealed copy and, two seconds later, the plaintext one. */
async function holdCopies(text: string) {
  const sealed = await hold(held.ann, { to: [held.ben], text });
  held.clock.advance(2_000);
  const plain = await hold(held.ann, { to: [outside], text }, { undo_seconds: 10, twin: sealed.id });
  return { sealed, plain };
}

describe('two sibling copies of a message', () => {
  test('are released together, at the later of their times', async () => {
    const { sealed, plain } = await holdCopies('Together');
    const queued = await countRows(held, 'outbound_recipients');
    held.clock.advance(9_000);
    await releaseDue(held);
    expect(await received(held.ben, sealed.message_id)).toEqual([]);
    held.clock.advance(1_000);
    await releaseDue(held);
    expect(await received(held.ben, sealed.message_id)).toHaveLength(1);
    expect(await countRows(held, 'outbound_recipients')).toBe(queued + 1);
    for (const { id } of [sealed, plain])
      expect(await mailOf(held.ann, id)).toMatchObject({ sent: true, scheduled: false });
    await expectNothingHeld(held);
  });

  test.each(['sealed', 'plain'] as const)('become one draft when the %s copy is recalled', async named => {
    const messages = await countRows(held, 'outbound_messages');
    const copies = await holdCopies('Back, both');
    const other = named === 'sealed' ? copies.plain : copies.sealed;
    const { id } = copies[named];
    expect((await held.ann.client.sending.unsend({ id })).data).toEqual({ draft_id: id });
    expect((await held.ann.client.sending.unsend({ id })).data).toEqual({ draft_id: id });
    const draft = await mailOf(held.ann, id);
    expect(draft).toMatchObject({ draft: true, sent: false, scheduled: false });
    expect(await openMail(held.ann, draft)).toContain('Back, both');
    await expect(mailOf(held.ann, other.id)).rejects.toMatchObject({ status: 404 });
    held.clock.advance(3_600_000);
    await releaseDue(held);
    expect(await received(held.ben, copies.sealed.message_id)).toEqual([]);
    expect(await countRows(held, 'outbound_messages')).toBe(messages);
    await expectNothingHeld(held);
  });

  test('become one draft in Deleted when one copy is deleted, and two when both are', async () => {
    const one = await holdCopies('Deleted by one');
    await held.ann.client.mail.remove({ email_id: one.plain.id });
    expect(await mailOf(held.ann, one.plain.id)).toMatchObject({ draft: true, deleted: true });
    await expect(mailOf(held.ann, one.sealed.id)).rejects.toMatchObject({ status: 404 });
    const both = await holdCopies('Deleted by both');
    await held.ann.client.mail.remove({ email_id: [both.plain.id, both.sealed.id] });
    for (const { id } of [both.plain, both.sealed])
      expect(await mailOf(held.ann, id)).toMatchObject({ draft: true, deleted: true });
    await expectNothingHeld(held);
  });

  test('cannot be recalled once one of them has been released', async () => {
    const { sealed, plain } = await holdCopies('Too late');
    held.clock.advance(10_000);
    expect(await createReleaser(held.app.deps).releaseNext()).toBe(true);
    const masks = await Promise.all([sealed, plain].map(({ id }) => mailOf(held.ann, id)));
    const waiting = masks.find(({ scheduled }) => scheduled);
    expect(masks.filter(({ scheduled }) => scheduled)).toHaveLength(1);
    await expect(held.ann.client.sending.unsend({ id: waiting?.id ?? '' })).rejects.toMatchObject({
      status: 409,
      code: 'sent_already',
    });
    await releaseDue(held);
    expect(await received(held.ben, sealed.message_id)).toHaveLength(1);
    await expectNothingHeld(held);
  });

  test('belong to one sender: links to another user’s message or to a complete pair are ignored', async () => {
    const { sealed } = await holdCopies('A pair');
    const third = await hold(held.ann, { to: [held.cat] }, { undo_seconds: 10, twin: sealed.id });
    const stranger = await hold(held.ben, { to: [held.cat] }, { undo_seconds: 10, twin: sealed.id });
    await held.ann.client.sending.unsend({ id: third.id });
    await held.ben.client.sending.unsend({ id: stranger.id });
    expect(await mailOf(held.ann, sealed.id)).toMatchObject({ scheduled: true });
    await held.ann.client.sending.unsend({ id: sealed.id });
    await expectNothingHeld(held);
    const gone = await hold(held.ann, { to: [held.cat] }, { undo_seconds: 0 });
    const alone = await hold(held.ann, { to: [held.ben] }, { undo_seconds: 10, twin: gone.id });
    await held.ann.client.sending.unsend({ id: alone.id });
    expect((await inbox(held.cat)).map(({ message_id }) => message_id)).toEqual([gone.message_id]);
  });
});
