import { expect, test } from 'vitest';
import type { DraftSession } from '../draft/draft-session.ts';
import { listClosing, noteClosing, whenClosed } from './composer-list.ts';

const sessionOn = (draftId: string): DraftSession => ({ state: () => ({ draftId }) }) as DraftSession;

test('a reopened draft waits for the last save of its closed composer, even if it fails', async () => {
  let save = (_error?: Error): void => undefined;
  const work = new Promise<void>((resolve, reject) => {
    save = error => (error === undefined ? resolve() : reject(error));
  });
  const session = sessionOn('draft');
  noteClosing(session, work);
  expect(listClosing()).toEqual([session]);
  await whenClosed('another draft');
  let isReopened = false;
  const reopened = whenClosed('draft').then(() => {
    isReopened = true;
  });
  await new Promise(resolve => setTimeout(resolve));
  expect(isReopened).toBe(false);
  save(new Error('Offline'));
  await reopened;
  expect(listClosing()).toEqual([]);
});
