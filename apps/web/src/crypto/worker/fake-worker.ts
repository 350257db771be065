// Fake Worker for tests: records the messages sent to it, and can answer or fail. Time is faked and
// advances only as far as a test requests, because a script that fails to load is retried after a
// delay.
import { afterEach, beforeEach, vi } from 'vitest';

class FakeWorker {
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onerror: ((event: object) => void) | null = null;
  readonly heard: unknown[] = [];
  isEnded = false;
  constructor() {
    started.push(this);
  }
  postMessage(message: unknown): void {
    this.heard.push(message);
  }
  terminate(): void {
    this.isEnded = true;
  }
}

/** The workers that a test has started, in order. */
export const started: FakeWorker[] = [];

/** Installs the fake worker in every test of the file. */
export function playWorkers(): void {
  beforeEach(() => {
    started.length = 0;
    vi.useFakeTimers();
    vi.stubGlobal('Worker', FakeWorker);
    vi.stubGlobal('location', new URL('http://localhost/'));
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
}
