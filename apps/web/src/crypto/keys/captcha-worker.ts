// Solves the proof of work that sign-up requires, in a separate worker so that keys are generated
// in parallel.
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import { serveWorker } from '../worker/serve-worker.ts';

type Challenge = Parameters<typeof solveChallenge>[0]['challenge'];

/**
 * Returns the `captcha` payload of register: base64 of the JSON of challenge and solution. Empty
 * when no captcha is required.
 */
async function solve(challenge: Record<string, unknown>): Promise<string> {
  if (!('parameters' in challenge)) return '';
  const typed = challenge as unknown as Challenge;
  const solution = await solveChallenge({ challenge: typed, deriveKey });
  if (solution === null || solution === undefined) throw new Error('The robot check didn’t finish.');
  return btoa(JSON.stringify({ challenge, solution }));
}

const captchaWorker = { solve };
export type CaptchaWorker = typeof captchaWorker;

serveWorker(captchaWorker);
