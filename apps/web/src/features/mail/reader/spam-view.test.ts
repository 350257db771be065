// Mail in Spam gets no answer by itself: its pictures stay out, and no way out of a list is offered.
import { parseHeadersOnly } from '@keyfold/mail/mime/parse';
import { expect, test } from 'vitest';
import type { MailRowData } from '../state/mail-cache.ts';
import type { WholeMail } from '../state/queries.ts';
import { toOpenView } from './message-view.ts';
import { mayLoad } from './safety/use-sender-permissions.ts';

const mail = { id: '1', headers: '', sent: false, draft: false, received_at: '2026-11-24T07:00:00Z' };
const parsed = parseHeadersOnly(
  new TextEncoder().encode(
    'From: shop@list.example\r\nList-Unsubscribe: <mailto:leave@list.example?subject=leave>\r\n',
  ),
);
const content = { kind: 'mail', parsed, failed: null, path: 'hybrid' };
const summary = { from: { name: '', address: '' }, to: [], cc: [], snippet: '' };

/** The message as its row says it is now, opened when it was there before. */
const viewOf = (isNow: boolean, wasBefore: boolean) =>
  toOpenView(
    { mail: { ...mail, flagged: isNow }, opened: { failed: null, summary } } as unknown as MailRowData,
    { mail: { ...mail, flagged: wasBefore }, content } as unknown as WholeMail,
    { body: { kind: 'empty' }, remote: null },
    { senderKeyB64: null, ownKeys: null, isFromSelf: false },
  );

test('in Spam no way out of a list is offered, whenever the message went there, and after Spam it is', () => {
  for (const wasBefore of [false, true]) {
    expect(viewOf(true, wasBefore)).toMatchObject({ isSpam: true, unsubscribe: null });
    expect(viewOf(false, wasBefore)).toMatchObject({ isSpam: false, unsubscribe: { kind: 'mail' } });
  }
});

test('in Spam no picture is fetched, neither once nor for a sender whose pictures always load', () => {
  const shown = (isSpam: boolean) => {
    const view = viewOf(isSpam, isSpam);
    const security = view.security === null ? null : { ...view.security, isSenderProven: true };
    return [
      mayLoad({ ...view, security }, true, new Set()),
      mayLoad({ ...view, security }, false, new Set(['shop@list.example'])),
    ];
  };
  expect(shown(true)).toEqual([false, false]);
  expect(shown(false)).toEqual([true, true]);
});
