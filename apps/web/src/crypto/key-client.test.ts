// Calls to the key worker while its script loads, and when loading fails. The browser's Worker is a
// stub.
import { expect, test, vi } from 'vitest';
import { keys, lockKeys } from './key-client.ts';
import { KeysMissing } from './keys/keys-missing.ts';
import { playWorkers, started } from './worker/fake-worker.ts';

playWorkers();

/** Makes every attempt to load the script fail. */
function miss(): void {
  for (let index = 0; index < started.length; index++) {
    started[index]?.onerror?.({});
    vi.runAllTimers();
  }
}

test('wiping the keys succeeds when the key worker fails to load', async () => {
  const wiped = lockKeys();
  miss();
  await expect(wiped).resolves.toBeUndefined();
});

test('calls reject when the key worker fails to load, and the next call loads it again', async () => {
  const [lock, facts] = [keys().lock(), keys().vaultFacts()];
  const ended = expect(Promise.allSettled([lock, facts])).resolves.toMatchObject([
    { reason: new KeysMissing() },
    { reason: new KeysMissing() },
  ]);
  miss();
  await ended;
  expect(started.at(-1)?.isEnded).toBe(true);

  const tried = started.length;
  const later = keys().lock();
  expect(started).toHaveLength(tried + 1);
  const worker = started.at(-1);
  worker?.onmessage?.({ data: 'up' });
  const asked = worker?.heard.at(-1) as { readonly id: string } | undefined;
  worker?.onmessage?.({ data: { id: asked?.id, type: 'RAW', value: undefined } });
  await expect(later).resolves.toBeUndefined();
});
