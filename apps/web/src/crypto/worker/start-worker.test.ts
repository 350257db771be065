// Starting workers whose program does not come at once. The browser's worker is a stand-in.
import { expect, test, vi } from 'vitest';
import { playWorkers, started } from './fake-worker.ts';
import { startWorker } from './start-worker.ts';

playWorkers();

const notCome = {};

test('what is said to a worker waits until it hears, and its answers come', () => {
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

test('a worker whose program did not come is started again, and hears all that was said', () => {
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

test('after three times it has failed, and one that fails while it runs has at once', () => {
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

test('it is told whether the program came', async () => {
  const [one, other] = [startWorker('/bundle.a.js', 'a'), startWorker('/bundle.b.js', 'b')];
  started[0]?.onmessage?.({ data: 'up' });
  await expect(one.came).resolves.toBeUndefined();
  for (let index = 1; index <= 3; index++) {
    started[index]?.onerror?.(notCome);
    vi.runAllTimers();
  }
  await expect(other.came).rejects.toBeUndefined();
});

test('one that was ended is not started again', () => {
  const worker = startWorker('/bundle.a.js', 'a');
  started[0]?.onerror?.(notCome);
  worker.terminate();
  vi.runAllTimers();
  expect(started).toHaveLength(1);
  expect(started[0]?.isEnded).toBe(true);
});
