// Messages in Spam trigger no responses: pictures stay blocked and unsubscribing is not offered.
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

/** The message with its current row, opened when it had its earlier place. */
const viewOf = (isNow: boolean, wasBefore: boolean) =>
  toOpenView(
    { mail: { ...mail, flagged: isNow }, opened: { failed: null, summary } } as unknown as MailRowData,
    { mail: { ...mail, flagged: wasBefore }, content } as unknown as WholeMail,
    { body: { kind: 'empty' }, remote: null },
    { senderKeyB64: null, ownKeys: null, isFromSelf: false },
  );

test('in Spam unsubscribing is not offered, and after Spam it is again', () => {
  for (const wasBefore of [false, true]) {
    expect(viewOf(true, wasBefore)).toMatchObject({ isSpam: true, unsubscribe: null });
    expect(viewOf(false, wasBefore)).toMatchObject({ isSpam: false, unsubscribe: { kind: 'mail' } });
  }
});

test('in Spam no image is loaded, neither once nor for a sender whose images always load', () => {
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
