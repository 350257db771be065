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

test('a row reads as one sentence with everything it shows', () => {
  expect(rowLabel(row, '09:41')).toBe(
    'Unread. Ines Almeida, Lisbon offsite, 3 messages, 09:41, 2 attachments, end-to-end encrypted, tags Work',
  );
});

test('files that are further down in the conversation are told of without a number', () => {
  const deep: MailRowView = { ...row, attachmentCount: 0, threadHasFiles: true };
  expect(rowLabel(deep, '09:41')).toContain('09:41, with attachments, end-to-end');
});

test('what is missing is said or left out', () => {
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
    'ines@harborlight.example, (No subject), Wed, could not be decrypted, Nothing proves who sent this and what its subject is',
  );
});
