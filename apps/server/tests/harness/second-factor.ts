/**
 * Users with two-factor authentication: an authenticator app, with codes generated here without the
 * library under test, and security keys.
 */
import { createHmac } from 'node:crypto';
import { type Authenticator, createAuthenticator } from './authenticator.ts';
import type { TestClient } from './client.ts';
import type { TestClock } from './clock.ts';
import type { TestUser } from './users.ts';

const STEP_MS = 30_000;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function fromBase32(text: string): Buffer {
  let [bits, value] = [0, 0];
  const bytes: number[] = [];
  for (const letter of text) {
    value = ((value << 5) | BASE32.indexOf(letter)) & 0xffff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((value >> bits) & 255);
  }
  return Buffer.from(bytes);
}

/** Returns the code of a secret at a time, or `stepsAside` steps after it (RFC 6238). */
export function codeAt(secret: string, time: Date, stepsAside = 0): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(time.getTime() / STEP_MS) + stepsAside));
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** Returns a six-digit code that is not valid now. */
export function wrongCodeAt(secret: string, time: Date): string {
  const right = [-2, -1, 0, 1, 2].map(aside => codeAt(secret, time, aside));
  return (
    ['000000', '111111', '222222', '333333', '444444', '555555'].find(code => !right.includes(code)) ?? ''
  );
}

/** Advances the clock to a time step in which no code was used. */
export const nextStep = (clock: TestClock): void => clock.advance(STEP_MS);

/** Turns on the authenticator app. Returns its secret and the recovery codes. */
export async function turnTotpOn(
  { client }: Pick<TestUser, 'client'>,
  clock: TestClock,
): Promise<{ readonly secret: string; readonly codes: string[] }> {
  const { data: made } = await client.otp.generate({});
  const code = codeAt(made.secret, clock.now());
  const { data } = await client.otp.initial({ code });
  nextStep(clock);
  return { secret: made.secret, codes: data.recovery_codes };
}

/**
 * Registers a new security key. Returns it with its id and the recovery codes. `proof` is required
 * if a factor is already on.
 */
export async function addKey(
  { client, loginHash }: Pick<TestUser, 'client' | 'loginHash'>,
  proof: object = {},
  name = 'Blue key',
): Promise<{ readonly key: Authenticator; readonly id: string; readonly codes: string[] }> {
  const key = createAuthenticator();
  const { data: options } = await client.second_factor.begin_passkey({ password: loginHash, ...proof });
  const credential = key.create(options);
  const { data } = await client.second_factor.add_passkey({ name, credential });
  return { key, id: data.passkey.id, codes: data.recovery_codes };
}

/** Signs in with only the password. Returns a tab with an MFA-pending session. */
export async function startSignIn(
  client: TestClient,
  { email, loginHash }: Pick<TestUser, 'email' | 'loginHash'>,
): Promise<TestClient> {
  await client.sign_in.login({ email, password: loginHash });
  return client;
}
