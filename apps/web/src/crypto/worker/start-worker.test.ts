// Starting workers whose script does not load at once. The browser's Worker is a stub.
import { expect, test, vi } from 'vitest';
import { playWorkers, started } from './fake-worker.ts';
import { startWorker } from './start-worker.ts';

playWorkers();

const notCome = {};

test('messages to a worker wait until it is ready, and its answers are delivered', () => {
  const worker = startWorker('/bundle.a.js', 'a');
  const answers: unknown[] = [];
  worker.addEventListener('message', event => answers.push((event as MessageEvent).data));
  worker.postMessage('one');
  expect(started[0]?.heard).toEqual([]);
  started[0]?.onmessage?.({ data: 'up' });
  worker.postMessage('two');
  expect(started[0]?.heard).toEqual(['one', 'two']);
  started[0]?.onmessage?.({ data: 'answer' });
  expect(answers).toEqual(['answer']);
});

test('a worker whose script failed to load is restarted and receives all messages', () => {
  const worker = startWorker('/bundle.a.js', 'a');
  const failed = vi.fn();
  worker.onerror = failed;
  worker.postMessage('one');
  started[0]?.onerror?.(notCome);
  vi.runAllTimers();
  worker.postMessage('two');
  started[1]?.onmessage?.({ data: 'up' });
  expect(started[1]?.heard).toEqual(['one', 'two']);
  expect(failed).not.toHaveBeenCalled();
});

test('a worker fails after three load attempts, or at once if its script throws', () => {
  const worker = startWorker('/bundle.a.js', 'a');
  const failed = vi.fn();
  worker.onerror = failed;
  for (let index = 0; index < 3; index++) {
    started[index]?.onerror?.(notCome);
    vi.runAllTimers();
  }
  expect(started).toHaveLength(3);
  expect(failed).toHaveBeenCalledOnce();
  const other = startWorker('/bundle.a.js', 'a');
  other.onerror = failed;
  started[3]?.onerror?.({ message: 'It threw' });
  expect(failed).toHaveBeenCalledTimes(2);
});

test('reports whether the script loaded', async () => {
  const [one, other] = [startWorker('/bundle.a.js', 'a'), startWorker('/bundle.b.js', 'b')];
  started[0]?.onmessage?.({ data: 'up' });
  await expect(one.came).resolves.toBeUndefined();
  for (let index = 1; index <= 3; index++) {
    started[index]?.onerror?.(notCome);
    vi.runAllTimers();
  }
  await expect(other.came).rejects.toBeUndefined();
});

test('a terminated worker is not restarted', () => {
  const worker = startWorker('/bundle.a.js', 'a');
  started[0]?.onerror?.(notCome);
  worker.terminate();
  vi.runAllTimers();
  expect(started).toHaveLength(1);
  expect(started[0]?.isEnded).toBe(true);
});
