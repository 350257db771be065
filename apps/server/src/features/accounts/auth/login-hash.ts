/**
 * How the server keeps the login hash, which is as good as a password (docs/wire-format.md#passwords): Argon2id with a random
 * salt, in the PHC text form that names its own parameters. It compares in constant time and knows no account.
 */
import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';

/** What is guessed here is 32 bytes that cost 64 MiB of Argon2id each, so OWASP's smaller setting is enough. */
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

/** The text to store for a login hash. */
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

/** Whether a login hash is the one that a stored text was made of. Throws when the text is none of ours. */
export async function isLoginHash(loginHash: string, stored: string): Promise<boolean> {
  const [, memory, passes, lanes, salt = '', hash = ''] = PHC.exec(stored) ?? [];
  if (memory === undefined) throw new Error('A stored login hash cannot be read');
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

/** The stored text of nobody: compared with when an address is unknown, so that the answer takes as long. */
export function hashOfNobody(): Promise<string> {
  nobodys ??= hashLogin(randomBytes(HASH_BYTES).toString('hex'));
  return nobodys;
}
