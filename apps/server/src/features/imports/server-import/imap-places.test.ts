// Placement of imported IMAP mail.
import { expect, test } from 'vitest';
import { inOrder, placeMail, placeOf } from './imap-places.ts';

const head = (change: Partial<Parameters<typeof placeMail>[1]> = {}) => ({
  isSeen: false,
  isFlagged: false,
  isDraft: false,
  labels: [],
  ...change,
});

test('a folder’s special use determines the place of its messages; other folders become tags', () => {
  expect(placeOf({ use: 'junk', path: ['Müll'] })).toBe('spam');
  expect(placeOf({ use: 'all', path: ['All Mail'] })).toBe('archive');
  expect(placeOf({ use: null, path: ['Posteingang'] })).toBe('inbox');
  expect(placeOf({ use: null, path: ['Work', 'Inbox'] })).toBe('tag');
});

test('folders are read in a stable order, with the most informative first', () => {
  const folders = [
    { name: 'All', place: 'archive' },
    { name: 'b', place: 'tag' },
    { name: 'Trash', place: 'deleted' },
    { name: 'a', place: 'tag' },
    { name: 'INBOX', place: 'inbox' },
  ] as const;
  const names = ['INBOX', 'a', 'b', 'All', 'Trash'];
  expect(inOrder(folders).map(({ name }) => name)).toEqual(names);
  expect(inOrder(folders.toReversed()).map(({ name }) => name)).toEqual(names);
});

test('a draft stays a draft in any folder except trash and spam', () => {
  const place = (name: 'deleted' | 'spam' | 'tag') =>
    placeMail({ place: name, path: ['x'] }, head({ isDraft: true })).flags;
  expect(place('tag')).toMatchObject({ draft: true, archived: false, read: true });
  expect(place('deleted')).toMatchObject({ draft: false, deleted: true, archived: false });
  expect(place('spam')).toMatchObject({ draft: false, flagged: true, archived: false });
});

test('labels set places and tags but move no message out of spam', () => {
  const labels = ['\\Inbox', '\\Starred', '\\Important', 'Family/Trips'];
  const kept = placeMail({ place: 'archive', path: ['All Mail'] }, head({ labels }));
  expect(kept.flags).toMatchObject({ archived: false, starred: true, sent: false });
  expect(kept.folders).toEqual([['Family', 'Trips']]);
  const sent = placeMail({ place: 'archive', path: [] }, head({ labels: ['\\Sent'] }));
  expect(sent.flags).toMatchObject({ sent: true, archived: false, read: true });
  expect(placeMail({ place: 'spam', path: [] }, head({ labels })).flags).toMatchObject({
    flagged: true,
    archived: false,
  });
});
