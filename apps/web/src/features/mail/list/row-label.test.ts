import { expect, test } from 'vitest';
import type { MailRowView } from '../state/view-model.ts';
import { rowLabel } from './row-label.ts';

const row: MailRowView = {
  id: 'a',
  threadId: 't',
  threadCount: 3,
  fromName: 'Ines Almeida',
  fromAddress: 'ines@harborlight.example',
  subject: 'Lisbon offsite',
  snippet: 'Everything is booked.',
  date: '2026-11-19T09:41:00Z',
  unread: true,
  starred: false,
  attachmentCount: 2,
  tags: [{ name: 'Work', color: 'blue' }],
  sealed: 'known',
  alert: false,
  place: 'other',
  activity: 'none',
};

test('a row label is one sentence with everything that the row shows', () => {
  expect(rowLabel(row, '09:41')).toBe(
    'Unread. Ines Almeida, Lisbon offsite, 3 messages, 09:41, 2 attachments, end-to-end encrypted, tagged Work',
  );
});

test('attachments further down in the conversation are mentioned without a number', () => {
  const deep: MailRowView = { ...row, attachmentCount: 0, threadHasFiles: true };
  expect(rowLabel(deep, '09:41')).toContain('09:41, has attachments, end-to-end');
});

test('missing parts are named or left out', () => {
  const plain: MailRowView = {
    ...row,
    fromName: '',
    subject: '',
    unread: false,
    threadCount: 1,
    attachmentCount: 0,
    tags: [],
    sealed: 'failed',
  };
  expect(rowLabel(plain, 'Wed')).toBe(
    'ines@harborlight.example, (No subject), Wed, couldn’t be decrypted, sender and subject can’t be confirmed',
  );
});
