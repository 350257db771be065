import { parseHeadersOnly } from '@keyfold/mail/mime/parse';
import { expect, test } from 'vitest';
import type { MailRowData } from '../state/mail-cache.ts';
import type { WholeMail } from '../state/queries.ts';
import { hasManyPeople, hasOwnColors, toAttachmentViews, toOpenView, toPlainBody } from './message-view.ts';

const parsed = parseHeadersOnly(new TextEncoder().encode('Subject: x\r\n'));

test('a placeholder says that it comes from an upload, and an empty message is shown as empty', () => {
  expect(toPlainBody({ kind: 'placeholder', parsed, failed: null, path: null })?.body).toMatchObject({
    kind: 'text',
    text: 'This draft was generated from uploading an attachment',
  });
  expect(toPlainBody({ kind: 'mail', parsed, failed: null, path: 'hybrid' })?.body.kind).toBe('empty');
  expect(
    toPlainBody({ kind: 'mail', parsed, failed: 'Failed to decrypt message', path: null })?.body.kind,
  ).toBe('failed');
  expect(
    toPlainBody({ kind: 'mail', parsed: { ...parsed, html: '<p>x' }, failed: null, path: 'hybrid' }),
  ).toBeNull();
});

test('black and white set by a mail program do not count as a message’s own colors', () => {
  for (const html of [
    '<p>x',
    '<p style="color:#000000">x',
    '<div style="background-color:white;color:rgb(0, 0, 0)">x',
    '<font color="#000000">x</font>',
    '<p style="border-color:red">x',
  ])
    expect(hasOwnColors(html), html).toBe(false);
  for (const html of [
    '<p style="color:#c00">x',
    '<td bgcolor="#f4efe6">x',
    '<div style="background:#fafafa">x',
  ])
    expect(hasOwnColors(html), html).toBe(true);
});

test('an image that the text shows is not listed as an attachment, and another one is', () => {
  const file = (contentId: string | null, filename: string) => ({
    filename,
    mimeType: 'image/png',
    disposition: 'inline',
    contentId,
    related: true,
    description: null,
    method: null,
    content: new Uint8Array(3),
    external: null,
  });
  const views = toAttachmentViews({
    ...parsed,
    html: '<img src="cid:a@b">',
    attachments: [file('<a@b>', 'shown.png'), file('<c@d>', 'hidden.png')],
  });
  expect(views.map(({ id, name, canPreview }) => [id, name, canPreview])).toEqual([
    ['1', 'hidden.png', true],
  ]);
});

test('a scheduled message that was sent is no longer shown as waiting, though it was opened before', () => {
  const waiting = { id: '1', headers: '', sent: true, scheduled: true, send_at: '2026-11-24T08:00:00Z' };
  const whole = {
    mail: waiting,
    content: { kind: 'mail', parsed, failed: null, path: 'self' },
  } as unknown as WholeMail;
  const summary = { from: { name: '', address: '' }, to: [], cc: [], snippet: '' };
  const rowOf = (change: object) =>
    ({ mail: { ...waiting, ...change }, opened: { failed: null, summary } }) as unknown as MailRowData;
  const proof = { senderKeyB64: null, ownKeys: null, isFromSelf: true };
  const securityOf = (change: object) =>
    toOpenView(rowOf(change), whole, { body: { kind: 'empty' }, remote: null }, proof).security;
  expect(securityOf({})).toMatchObject({ kind: 'own', sendAt: '2026-11-24T08:00:00Z' });
  expect(securityOf({ scheduled: false, send_at: null })).toMatchObject({ kind: 'own', sendAt: null });
  // The proof comes from the opened message; a row carries no information about how it was sealed.
  expect(securityOf({ sent: false, public: true })?.kind).toBe('own');
});

test('a notice shows the service as its sender and only text, whatever its From says', () => {
  const forged = parseHeadersOnly(
    new TextEncoder().encode('From: Your Bank <pay@bank.example>\r\nSubject: Pay\r\n'),
  );
  const content = {
    kind: 'alert',
    parsed: { ...forged, html: '<a href="https://bank.example">Pay</a>' },
    failed: null,
    path: null,
  } as const;
  expect(toPlainBody(content)?.body).toMatchObject({ kind: 'text', text: 'Pay', isNotice: true });
  const mail = { id: '1', headers: '', alert: true } as WholeMail['mail'];
  const summary = { from: { name: 'Your Bank', address: 'pay@bank.example' }, to: [], cc: [], snippet: '' };
  const row = { mail, opened: { failed: null, summary } } as unknown as MailRowData;
  const proof = { senderKeyB64: null, ownKeys: null, isFromSelf: false };
  const shown = { body: { kind: 'empty' }, remote: null } as const;
  expect(toOpenView(row, { mail, content }, shown, proof).from).toEqual({ name: 'Keyfold', address: '' });
});

test('a message whose row says that it is a copy shows a warning, though its body was opened alone', () => {
  const mail = { id: '1', received_at: '2026-11-24T07:00:00Z', sent: false } as WholeMail['mail'];
  const content = { kind: 'mail', parsed, failed: null, path: 'hybrid', isCopy: false } as const;
  const proof = { senderKeyB64: null, ownKeys: null, isFromSelf: false };
  const summary = { from: { name: '', address: '' }, to: [], cc: [] };
  const warningsOf = (opened: object) =>
    toOpenView(
      { mail, opened: { id: '1', kind: 'mail', failed: null, summary, ...opened } } as unknown as MailRowData,
      { mail, content },
      { body: { kind: 'empty' }, remote: null },
      proof,
    ).security?.warnings;
  expect(warningsOf({})).toEqual([]);
  expect(warningsOf({ isCopy: true })).toEqual([expect.stringMatching(/^This is a duplicate\./)]);
});

test('a reply to all is offered when it reaches more than one other person', () => {
  const own = new Set(['alice@keyfold.test', 'a@keyfold.test']);
  const people = (...addresses: string[]) => addresses.map(address => ({ name: '', address }));
  const [bob] = people('bob@keyfold.test');
  const [alice] = people('Alice@keyfold.test');
  if (bob === undefined || alice === undefined) throw new Error('nobody');
  expect(hasManyPeople({ from: bob, to: [alice], cc: [] }, own)).toBe(false);
  expect(hasManyPeople({ from: bob, to: [alice, ...people('a@keyfold.test')], cc: [bob] }, own)).toBe(false);
  expect(hasManyPeople({ from: alice, to: [bob], cc: people('') }, own)).toBe(false);
  expect(hasManyPeople({ from: bob, to: [alice], cc: people('eve@x.test') }, own)).toBe(true);
  expect(hasManyPeople({ from: alice, to: [bob], cc: people('eve@x.test') }, own)).toBe(true);
});
