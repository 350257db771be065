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

test('the watch begins although the connection broke while its program came, and is stopped', async () => {
  let tries = 0;
  const leave = startMailWatch(() => (++tries < 3 ? broken() : Promise.resolve({ startWatch })));
  await vi.runAllTimersAsync();
  expect(startWatch).toHaveBeenCalledTimes(1);
  leave();
  expect(stop).toHaveBeenCalledTimes(1);
});

test('who has left before the program came is not watched for', async () => {
  startMailWatch(() => Promise.resolve({ startWatch }))();
  await vi.runAllTimersAsync();
  expect(startWatch).not.toHaveBeenCalled();
});

test('a program that does not come at all leaves the page as it is', async () => {
  startMailWatch(broken)();
  await vi.runAllTimersAsync();
  expect(startWatch).not.toHaveBeenCalled();
});
