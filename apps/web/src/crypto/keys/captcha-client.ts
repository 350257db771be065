// Main-thread client of the captcha worker, which exists only while it solves a challenge.
import * as Comlink from 'comlink';
import { startWorker } from '../worker/start-worker.ts';
import type { CaptchaWorker } from './captcha-worker.ts';
import workerUrl from './captcha-worker.ts?worker&url';

/** Solves a challenge off the main thread. */
export async function solveCaptcha(challenge: Record<string, unknown>): Promise<string> {
  const worker = startWorker(workerUrl, 'captcha');
  try {
    return await Comlink.wrap<CaptchaWorker>(worker).solve(challenge);
  } finally {
    worker.terminate();
  }
}
