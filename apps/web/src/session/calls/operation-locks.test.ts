import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { setLanguage } from '../../lib/language.ts';
import { OPERATION_LOCK_MS } from '../../timing.ts';
import { AlreadyInProgressError, runLocked } from './operation-locks.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const never = () => new Promise<void>(() => {});

test('a second attempt is refused while the first runs and allowed once it has ended', async () => {
  let end = () => {};
  const first = runLocked('Archive', 'a', () => new Promise<void>(resolve => (end = resolve)));
  await expect(runLocked('Archive', 'a', never)).rejects.toThrow('Archive already in progress');
  end();
  await first;
  await expect(runLocked('Archive', 'a', async () => 1)).resolves.toBe(1);
});

test('the refusal is in the user’s language', async () => {
  setLanguage('de', { '{action} already in progress': '{action} läuft bereits' });
  try {
    void runLocked('Archivieren', 'f', never);
    await expect(runLocked('Archivieren', 'f', never)).rejects.toThrow('Archivieren läuft bereits');
  } finally {
    setLanguage('en', {});
  }
});

test('a lock does not block other operations or other targets', async () => {
  void runLocked('Delete', 'b', never);
  await expect(runLocked('Archive', 'b', async () => 1)).resolves.toBe(1);
  await expect(runLocked('Delete', 'c', async () => 2)).resolves.toBe(2);
});

test('a lock that is never released expires after 30 seconds', async () => {
  void runLocked('Star', 'd', never);
  vi.advanceTimersByTime(OPERATION_LOCK_MS - 1);
  await expect(runLocked('Star', 'd', never)).rejects.toBeInstanceOf(AlreadyInProgressError);
  vi.advanceTimersByTime(1);
  await expect(runLocked('Star', 'd', async () => 3)).resolves.toBe(3);
});

test('a lock is released when the operation fails', async () => {
  await expect(runLocked('Read', 'e', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(runLocked('Read', 'e', async () => 4)).resolves.toBe(4);
});
