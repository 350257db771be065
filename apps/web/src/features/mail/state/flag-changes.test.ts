import { expect, test } from 'vitest';
import { inverseSteps, type MailFlags, stepsOf, tagsAfter } from './flag-changes.ts';

const mail = (id: string, of: Partial<MailFlags> = {}): MailFlags => ({
  id,
  read: false,
  starred: false,
  archived: false,
  flagged: false,
  deleted: false,
  draft: false,
  snoozed: false,
  snoozed_until: null,
  tags: [],
  ...of,
});

test('only messages that change are requested, and only those are restored', () => {
  const mails = [mail('a'), mail('b', { read: true }), mail('c')];
  expect(stepsOf(mails, { kind: 'read', value: true })).toEqual([
    { kind: 'read', value: true, ids: ['a', 'c'] },
  ]);
  expect(inverseSteps(mails, { kind: 'read', value: true })).toEqual([
    { kind: 'read', value: false, ids: ['a', 'c'] },
  ]);
  expect(stepsOf([mail('a', { starred: true })], { kind: 'star', value: true })).toEqual([]);
});

test('each message keeps its other tags, in one request per distinct result', () => {
  const mails = [
    mail('a', { tags: ['Work'] }),
    mail('b'),
    mail('c', { tags: ['Work'] }),
    mail('d', { tags: ['New'] }),
  ];
  const change = { kind: 'tags', add: ['New'], remove: ['Work'] } as const;
  expect(stepsOf(mails, change)).toEqual([{ kind: 'tags', tags: ['New'], ids: ['a', 'b', 'c'] }]);
  expect(inverseSteps(mails, change)).toEqual([
    { kind: 'tags', tags: ['Work'], ids: ['a', 'c'] },
    { kind: 'tags', tags: [], ids: ['b'] },
  ]);
  expect(tagsAfter(['x', 'y'], { add: ['y', 'z'], remove: ['x'] })).toEqual(['y', 'z']);
});

test('permanently deleted messages cannot be restored', () => {
  const mails = [mail('a'), mail('b', { deleted: true }), mail('c', { draft: true })];
  expect(inverseSteps(mails, { kind: 'delete' })).toEqual([{ kind: 'restore', ids: ['a'] }]);
  expect(inverseSteps([mail('b', { deleted: true })], { kind: 'delete' })).toEqual([]);
});

test('reversible and permanent deletions are separate requests, and an undo never deletes permanently', () => {
  const mails = [mail('a'), mail('b', { deleted: true }), mail('c', { draft: true }), mail('d')];
  expect(stepsOf(mails, { kind: 'delete' })).toEqual([
    { kind: 'delete', isForGood: false, ids: ['a', 'd'] },
    { kind: 'delete', isForGood: true, ids: ['b', 'c'] },
  ]);
  expect(inverseSteps([mail('e', { deleted: true, draft: true })], { kind: 'restore' })).toEqual([
    { kind: 'delete', isForGood: false, ids: ['e'] },
  ]);
});

test('without confirmation a draft is moved like other mail and can be restored', () => {
  const mails = [mail('a'), mail('c', { draft: true }), mail('b', { deleted: true })];
  expect(stepsOf(mails, { kind: 'delete' }, false)).toEqual([
    { kind: 'delete', isForGood: false, ids: ['a', 'c', 'b'] },
  ]);
  expect(inverseSteps(mails, { kind: 'delete' }, false)).toEqual([{ kind: 'restore', ids: ['a', 'c'] }]);
});

test('undoing another snooze restores the previous time of each message', () => {
  const mails = [
    mail('a', { snoozed: true, snoozed_until: '2026-12-01T08:00:00.000Z' }),
    mail('b', { snoozed_until: '2026-01-01T08:00:00.000Z' }),
  ];
  expect(inverseSteps(mails, { kind: 'snooze', until: '2027-01-01T08:00:00.000Z' })).toEqual([
    { kind: 'snooze', until: '2026-12-01T08:00:00.000Z', ids: ['a'] },
    { kind: 'snooze', until: null, ids: ['b'] },
  ]);
});
