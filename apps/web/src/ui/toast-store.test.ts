import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createToastStore } from './toast-store.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const texts = (store: ReturnType<typeof createToastStore>) => store.list().map(toast => toast.text);

test('a plain toast closes after three seconds, one with an action after ten', () => {
  const store = createToastStore();
  store.show({ tone: 'success', text: 'plain' });
  store.show({ tone: 'success', text: 'undo', action: { label: 'Undo', onAct: () => {} } });
  vi.advanceTimersByTime(2_999);
  expect(texts(store)).toEqual(['plain', 'undo']);
  vi.advanceTimersByTime(1);
  expect(texts(store)).toEqual(['undo']);
  vi.advanceTimersByTime(7_000);
  expect(texts(store)).toEqual([]);
});

test('keeps only three toasts, the newest last', () => {
  const store = createToastStore();
  for (const text of ['a', 'b', 'c', 'd']) store.show({ tone: 'success', text });
  expect(texts(store)).toEqual(['b', 'c', 'd']);
});

test('a paused toast keeps its remaining time', () => {
  const store = createToastStore();
  store.show({ tone: 'success', text: 'a' });
  vi.advanceTimersByTime(2_000);
  store.pause('pointer');
  vi.advanceTimersByTime(60_000);
  expect(texts(store)).toEqual(['a']);
  store.resume('pointer');
  vi.advanceTimersByTime(999);
  expect(texts(store)).toEqual(['a']);
  vi.advanceTimersByTime(1);
  expect(texts(store)).toEqual([]);
});

test('timers resume only when every reason to pause is gone', () => {
  const store = createToastStore();
  store.pause('hidden');
  store.show({ tone: 'danger', text: 'a' });
  store.pause('focus');
  store.resume('hidden');
  vi.advanceTimersByTime(10_000);
  expect(texts(store)).toEqual(['a']);
  store.resume('focus');
  vi.advanceTimersByTime(3_000);
  expect(texts(store)).toEqual([]);
});

test('dismissing a toast notifies the listeners exactly once', () => {
  const store = createToastStore();
  const id = store.show({ tone: 'success', text: 'a' });
  const heard = vi.fn();
  store.subscribe(heard);
  store.dismiss(id);
  store.dismiss(id);
  expect(heard).toHaveBeenCalledTimes(1);
});
