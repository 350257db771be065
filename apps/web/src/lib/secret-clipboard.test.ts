// A copied secret leaves the clipboard after a minute, unless something else is known to be there. The browser is a stand-in.
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

test('it is there for a minute, and then it is not', async () => {
  await copySecret('twenty four words');
  await vi.advanceTimersByTimeAsync(CLIPBOARD_KEPT_MS - 1);
  expect(held).toBe('twenty four words');
  await vi.advanceTimersByTimeAsync(1);
  expect(held).toBe('');
});

test('what was copied since stays', async () => {
  await copySecret('a');
  held = 'a shopping list';
  await minute();
  expect(held).toBe('a shopping list');
});

test.each(['prompt', 'unknown'] as const)('nobody is asked whether it may be read (%s)', async state => {
  leave = state;
  await copySecret('a');
  await minute();
  expect(held).toBe('');
  expect(read).not.toHaveBeenCalled();
});

test('a page that was left empties it when somebody is back', async () => {
  await copySecret('a');
  isLookedAt = false;
  await minute();
  expect(held).toBe('a');
  isLookedAt = true;
  page.dispatchEvent(new Event('focus'));
  await vi.advanceTimersByTimeAsync(0);
  expect(held).toBe('');
});

test('another secret has a minute of its own', async () => {
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

test('where copying is not allowed it says so', async () => {
  isLookedAt = false;
  await expect(copySecret('a')).rejects.toThrow();
  await minute();
  expect(held).toBe('');
});
