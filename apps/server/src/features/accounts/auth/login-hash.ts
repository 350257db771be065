/**
 * Stores the login hash, which is equivalent to a password (docs/wire-format.md#passwords):
 * Argon2id with a random salt, in the PHC string format that names its own parameters. Compares in
 * constant time; knows nothing about accounts.
 */
import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * An attacker has to guess 32 bytes that cost 64 MiB of Argon2id each, so OWASP's smaller setting
 * is enough.
 */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

const derive = (parameters: Argon2Parameters): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    argon2('argon2id', parameters, (error, key) => (error ? reject(error) : resolve(key)));
  });

const toText = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

/** Returns the text to store for a login hash. */
export async function hashLogin(loginHash: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive({
    message: Buffer.from(loginHash, 'hex'),
    nonce: salt,
    parallelism: LANES,
    tagLength: HASH_BYTES,
    memory: MEMORY_KIB,
    passes: PASSES,
  });
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${toText(salt)}$${toText(hash)}`;
}

/**
 * Returns whether a stored text was derived from this login hash. Throws if the text is not in our
 * format.
 */
export async function isLoginHash(loginHash: string, stored: string): Promise<boolean> {
  const [, memory, passes, lanes, salt = '', hash = ''] = PHC.exec(stored) ?? [];
  if (memory === undefined) throw new Error('A stored login hash is invalid');
  const expected = Buffer.from(hash, 'base64');
  const actual = await derive({
    message: Buffer.from(loginHash, 'hex'),
    nonce: Buffer.from(salt, 'base64'),
    parallelism: Number(lanes),
    tagLength: expected.length,
    memory: Number(memory),
    passes: Number(passes),
  });
  return timingSafeEqual(actual, expected);
}

let nobodys: Promise<string> | undefined;

/**
 * Returns a dummy stored text to compare with if an address is unknown, so that the response takes
 * the same time.
 */
export function hashOfNobody(): Promise<string> {
  nobodys ??= hashLogin(randomBytes(HASH_BYTES).toString('hex'));
  return nobodys;
}
