// An authenticator app for tests: codes of a secret (RFC 6238), each used once, as the server
// requires.
import { createHmac } from 'node:crypto';

const STEP_MS = 30_000;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function fromBase32(text: string): Buffer {
  const bits = [...text].map(letter => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)));
}

function codeOf(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

const stepNow = (): number => Math.floor(Date.now() / STEP_MS);

/** Opens the app with a secret as a page shows it. */
export function openAuthenticator(shown: string) {
  const secret = fromBase32(shown.replace(/\s/g, ''));
  let used = 0;
  return {
    /** Returns an unused code; waits for the next one if the code of the next step was used too. */
    next: async (): Promise<string> => {
      const wanted = Math.max(stepNow(), used + 1);
      while (stepNow() + 1 < wanted) await new Promise(resolve => setTimeout(resolve, 500));
      used = wanted;
      return codeOf(secret, wanted);
    },
    /** Treats every code as unused, matching a server whose record was cleared. */
    forgetUsed: (): void => {
      used = 0;
    },
    /** Returns six digits that are not a currently valid code. */
    wrong: (): string => {
      const right = [-2, -1, 0, 1, 2, 3].map(aside => codeOf(secret, stepNow() + aside));
      return ['000000', '111111', '222222', '333333', '444444', '555555', '666666'].find(
        code => !right.includes(code),
      ) as string;
    },
  };
}
