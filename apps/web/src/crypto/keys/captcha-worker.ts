// Works on the proof of work that sign-up asks for, in a worker of its own so that keys can be made meanwhile.
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import { serveWorker } from '../worker/serve-worker.ts';

type Challenge = Parameters<typeof solveChallenge>[0]['challenge'];

/** The payload for `captcha` in register: base64 of the JSON of challenge and solution. Empty when none is asked for. */
async function solve(challenge: Record<string, unknown>): Promise<string> {
  if (!('parameters' in challenge)) return '';
  const typed = challenge as unknown as Challenge;
  const solution = await solveChallenge({ challenge: typed, deriveKey });
  if (solution === null || solution === undefined) throw new Error('Failed to solve the challenge');
  return btoa(JSON.stringify({ challenge, solution }));
}

const captchaWorker = { solve };
export type CaptchaWorker = typeof captchaWorker;

serveWorker(captchaWorker);
