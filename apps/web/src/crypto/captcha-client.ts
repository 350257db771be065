// The main thread's way to the captcha worker, which lives only while it works.
import * as Comlink from 'comlink';
import type { CaptchaWorker } from './captcha-worker.ts';

/** Solves a challenge off the main thread. */
export async function solveCaptcha(challenge: Record<string, unknown>): Promise<string> {
  const worker = new Worker(new URL('./captcha-worker.ts', import.meta.url), {
    type: 'module',
    name: 'captcha',
  });
  try {
    return await Comlink.wrap<CaptchaWorker>(worker).solve(challenge);
  } finally {
    worker.terminate();
  }
}
