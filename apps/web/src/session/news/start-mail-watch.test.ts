import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startMailWatch } from './start-mail-watch.ts';

const stop = vi.fn();
const startWatch = vi.fn(() => stop);
const broken = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.clearAllMocks();
});

test('the watch starts although loading its module failed twice, and can be stopped', async () => {
  let tries = 0;
  const leave = startMailWatch(() => (++tries < 3 ? broken() : Promise.resolve({ startWatch })));
  await vi.runAllTimersAsync();
  expect(startWatch).toHaveBeenCalledTimes(1);
  leave();
  expect(stop).toHaveBeenCalledTimes(1);
});

test('no watch starts when the user leaves before its module has loaded', async () => {
  startMailWatch(() => Promise.resolve({ startWatch }))();
  await vi.runAllTimersAsync();
  expect(startWatch).not.toHaveBeenCalled();
});

test('a module that never loads leaves the page as it is', async () => {
  startMailWatch(broken)();
  await vi.runAllTimersAsync();
  expect(startWatch).not.toHaveBeenCalled();
});
