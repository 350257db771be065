// A copied secret is removed from the clipboard after a minute, unless the clipboard is known to
// contain something else. Uses a fake browser.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CLIPBOARD_KEPT_MS } from '../timing.ts';
import { copySecret } from './secret-clipboard.ts';

let held = '';
let isLookedAt = true;
let leave: 'granted' | 'prompt' | 'unknown' = 'granted';
let page: EventTarget;
const read = vi.fn(async () => held);

beforeEach(() => {
  vi.useFakeTimers();
  [held, isLookedAt, leave, page] = ['', true, 'granted', new EventTarget()];
  read.mockClear();
  vi.stubGlobal('window', page);
  vi.stubGlobal('navigator', {
    clipboard: {
      writeText: async (text: string) => {
        if (!isLookedAt) throw new DOMException('', 'NotAllowedError');
        held = text;
      },
      readText: read,
    },
    permissions: {
      query: async () => {
        if (leave === 'unknown') throw new TypeError('No such permission');
        return { state: leave };
      },
    },
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const minute = () => vi.advanceTimersByTimeAsync(CLIPBOARD_KEPT_MS);

test('a copied secret is removed after a minute', async () => {
  await copySecret('twenty four words');
  await vi.advanceTimersByTimeAsync(CLIPBOARD_KEPT_MS - 1);
  expect(held).toBe('twenty four words');
  await vi.advanceTimersByTimeAsync(1);
  expect(held).toBe('');
});

test('text that was copied later is kept', async () => {
  await copySecret('a');
  held = 'a shopping list';
  await minute();
  expect(held).toBe('a shopping list');
});

test.each(['prompt', 'unknown'] as const)(
  'the user is not asked for permission to read the clipboard (%s)',
  async state => {
    leave = state;
    await copySecret('a');
    await minute();
    expect(held).toBe('');
    expect(read).not.toHaveBeenCalled();
  },
);

test('an unfocused page empties the clipboard when the user returns', async () => {
  await copySecret('a');
  isLookedAt = false;
  await minute();
  expect(held).toBe('a');
  isLookedAt = true;
  page.dispatchEvent(new Event('focus'));
  await vi.advanceTimersByTimeAsync(0);
  expect(held).toBe('');
});

test('another secret gets a minute of its own', async () => {
  await copySecret('a');
  isLookedAt = false;
  await minute();
  isLookedAt = true;
  await copySecret('b');
  page.dispatchEvent(new Event('focus'));
  await vi.advanceTimersByTimeAsync(CLIPBOARD_KEPT_MS / 2);
  expect(held).toBe('b');
  await minute();
  expect(held).toBe('');
});

test('copying rejects where it is not allowed', async () => {
  isLookedAt = false;
  await expect(copySecret('a')).rejects.toThrow();
  await minute();
  expect(held).toBe('');
});
