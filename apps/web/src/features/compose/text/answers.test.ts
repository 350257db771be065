import { expect, test } from 'vitest';
import { type Answered, openForward, openReply } from './answers.ts';

const person = (address: string, name = '') => ({ name, address });

const mail = (change: Partial<Answered> = {}): Answered => ({
  messageId: '<c@x>',
  references: ['<a@x>', '<b@x>'],
  from: person('bob@x.test', 'Bob'),
  replyTo: [],
  to: [person('me@keyfold.test'), person('carl@x.test')],
  cc: [person('dora@x.test'), person('BOB@x.test')],
  subject: 'Re: AW: lunch',
  date: new Date('2026-01-02T03:04:05Z'),
  text: 'one\n> two\n',
  html: null,
  ...change,
});

const own = new Set(['me@keyfold.test']);

test('a reply goes to the sender, references the whole conversation, and quotes the message', () => {
  const reply = openReply(mail(), own, false);
  expect(reply.to).toEqual([person('bob@x.test', 'Bob')]);
  expect(reply.cc).toEqual([]);
  expect(reply.subject).toBe('Re: lunch');
  expect(reply.inReplyTo).toBe('<c@x>');
  expect(reply.references).toEqual(['<a@x>', '<b@x>', '<c@x>']);
  expect(reply.quoted).toMatchObject([{ kind: 'reply', text: 'one\n> two\n' }]);
  expect(reply.quoted[0]?.head[0]).toMatch(/^On .*, Bob wrote:$/);
  expect(reply.from).toBe('me@keyfold.test');
});

test('a reply to all leaves out the user and duplicates', () => {
  expect(openReply(mail(), own, true).cc.map(one => one.address)).toEqual(['carl@x.test', 'dora@x.test']);
});

test('Reply-To wins over From', () => {
  expect(openReply(mail({ replyTo: [person('list@x.test')] }), own, false).to).toEqual([
    person('list@x.test'),
  ]);
});

test('a reply to the user’s own message goes to that message’s recipients', () => {
  const sent = mail({
    from: person('me@keyfold.test'),
    to: [person('eve@x.test')],
    cc: [person('me@keyfold.test')],
  });
  expect(openReply(sent, own, true)).toMatchObject({ to: [person('eve@x.test')], cc: [] });
});

test('a forward quotes the head of the message and has no recipients', () => {
  const forward = openForward([mail()], own);
  expect(forward.to).toEqual([]);
  expect(forward.subject).toBe('Fwd: lunch');
  expect(forward.quoted?.[0]?.head).toContain('From: Bob <bob@x.test>');
  expect(forward.inReplyTo).toBeNull();
});

test('a long conversation keeps its first and latest references', () => {
  const references = Array.from({ length: 80 }, (_, index) => `<${index}@x>`);
  const kept = openReply(mail({ references }), own, false).references;
  expect(kept).toHaveLength(50);
  expect(kept[0]).toBe('<0@x>');
  expect(kept.at(-1)).toBe('<c@x>');
});

test('a forwarded conversation quotes every message in order and references the last one', () => {
  const first = { ...mail(), subject: 'First', text: 'one', messageId: '<1@x.test>' };
  const last = { ...mail(), subject: 'Re: First', text: 'two', messageId: '<2@x.test>' };
  const forward = openForward([first, last], own);
  expect(forward.quoted?.map(({ kind, text }) => [kind, text])).toEqual([
    ['forward', 'one'],
    ['forward', 'two'],
  ]);
  expect(forward.subject).toBe('Fwd: First');
  expect(forward.references?.at(-1)).toBe('<2@x.test>');
});
