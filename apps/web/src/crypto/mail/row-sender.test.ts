import { expect, test } from 'vitest';
import { withStoredSender } from './row-sender.ts';

const mallory = { name: 'Mallory', address: 'mallory@keyfold.test' };
const mail = { from: mallory.address, sent: false, draft: false };
const summaryFrom = (name: string, address: string) => ({
  subject: 's',
  from: { name, address },
  to: [],
  cc: [],
  date: '2026-01-01T00:00:00Z',
  snippet: '',
  attachments: 0,
  invite: false,
});

test('a summary that names another sender shows the stored one', async () => {
  const forged = summaryFrom('Bob', 'bob@keyfold.test');
  expect((await withStoredSender(mail, forged, async () => mallory)).from).toEqual(mallory);
  expect((await withStoredSender(mail, summaryFrom('Bob', ''), async () => mallory)).from).toEqual(mallory);
});

test('the case of an address does not matter, and the sender chooses the name', async () => {
  const summary = summaryFrom('Mal', 'Mallory@Keyfold.Test');
  expect(await withStoredSender(mail, summary, async () => mallory)).toBe(summary);
});

test('sent messages and drafts keep their summary', async () => {
  const summary = summaryFrom('', 'old@keyfold.test');
  expect(await withStoredSender({ ...mail, sent: true }, summary, async () => mallory)).toBe(summary);
  expect(await withStoredSender({ ...mail, draft: true }, summary, async () => mallory)).toBe(summary);
});
