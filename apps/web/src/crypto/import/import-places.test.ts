import type { MailItem } from '@keyfold/import/items';
import { expect, test } from 'vitest';
import { placeMail, placeOfFolder, tagOfFolder } from './import-places.ts';
import type { ImportPlace } from './import-types.ts';

const mail = (folder: string[], labels: string[] = []): MailItem => ({
  kind: 'mail',
  key: '1',
  folder,
  raw: new Uint8Array(),
  receivedAt: null,
  flags: { isRead: false, isStarred: false, isDraft: false, isSent: false },
  labels,
});

function shown(item: MailItem, place: ImportPlace) {
  const { flags, tags } = placeMail(item, place);
  return [...Object.entries(flags).flatMap(([name, isSet]) => (isSet ? [name] : [])), ...tags].join(' ');
}

test('standard folders are recognized by their names, and others become tags', () => {
  expect(placeOfFolder([])).toBe('inbox');
  expect(placeOfFolder(['Top', 'Sent Items'])).toBe('sent');
  expect(placeOfFolder(['Gelöschte Elemente'])).toBe('deleted');
  expect(placeOfFolder(['Junk E-mail'])).toBe('spam');
  expect(placeOfFolder(['All mail Including Spam and Trash'])).toBe('archive');
  expect(placeOfFolder(['Alle Nachrichten einschließlich Spam und Papierkorb'])).toBe('archive');
  expect(placeOfFolder(['[Gmail]', 'Posta inviata'])).toBe('sent');
  expect(placeOfFolder(['受信トレイ'])).toBe('inbox');
  expect(placeOfFolder(['Корзина'])).toBe('deleted');
  expect(placeOfFolder(['ann@x.example', 'Archive'])).toBe('archive');
  expect(placeOfFolder(['Projects', '2024', 'Archive'])).toBe('tag');
  expect(placeOfFolder(['Work'])).toBe('tag');
  expect(tagOfFolder(['Work', 'Projects'])).toBe('Work/Projects');
  expect([...tagOfFolder(['x'.repeat(100)])]).toHaveLength(64);
});

test('a message gets the flags of its folder, and a folder that became a tag stays out of the inbox', () => {
  expect(shown(mail(['Inbox']), 'inbox')).toBe('');
  expect(shown(mail(['Work']), 'tag')).toBe('archived Work');
  expect(shown(mail(['Sent']), 'sent')).toBe('read sent');
  expect(shown(mail(['Drafts']), 'drafts')).toBe('read draft');
  expect(shown(mail(['Bin']), 'deleted')).toBe('deleted');
  expect(shown(mail(['Junk']), 'spam')).toBe('flagged');
});

test('a message’s own labels determine its place', () => {
  expect(shown(mail(['All mail'], ['Inbox', 'Work']), 'archive')).toBe('Work');
  expect(shown(mail(['All mail'], ['Work']), 'archive')).toBe('archived Work');
  expect(shown(mail(['Takeout'], ['Work']), 'tag')).toBe('archived Work');
  expect(shown(mail(['All mail'], ['Sent', 'Trash']), 'archive')).toBe('read deleted sent');
});

test('tags set by mail programs do not affect the place', () => {
  const marked = { ...mail(['Inbox']), tags: ['Important', 'tax 2024'] };
  expect(shown(marked, 'inbox')).toBe('Important tax 2024');
  expect(shown({ ...marked, folder: ['Work'] }, 'tag')).toBe('archived Work Important tax 2024');
});

test('labels never move a message out of a spam or trash folder', () => {
  expect(shown(mail(['Junk'], ['Inbox', 'Work']), 'spam')).toBe('flagged Work');
  expect(shown(mail(['Bin'], ['Inbox']), 'deleted')).toBe('deleted');
  expect(shown(mail(['Bin'], ['Sent']), 'deleted')).toBe('read deleted sent');
  expect(shown(mail(['Junk'], ['Archive']), 'spam')).toBe('flagged');
});

test('a message keeps only as many tags as the limit allows, with the folder’s tag first', () => {
  const labels = Array.from({ length: 1_000 }, (_, index) => `Label ${index}`);
  expect(placeMail(mail(['Takeout'], labels), 'archive').tags).toEqual(labels.slice(0, 20));
  expect(placeMail(mail(['Work']), 'tag')).toMatchObject({ tags: ['Work'], folderTagCount: 1 });
});

test('a message from a Keyfold export gets all its tags back', () => {
  const labels = Array.from({ length: 150 }, (_, index) => `Tag ${index}`);
  const place = { isArchived: false, isDeleted: false, isFlagged: false };
  expect(placeMail({ ...mail(['mail'], labels), place }, 'inbox').tags).toEqual(labels);
});
