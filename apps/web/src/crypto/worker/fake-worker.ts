// The browser's worker, played for tests: what was said to it, and the ways to answer or to fail. Time stands still but for what
// a test lets pass, since a program that does not come is asked for again after a pause.
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

/** Plays it in each test of the file. */
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
