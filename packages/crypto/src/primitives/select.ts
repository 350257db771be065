// Chooses, once and per primitive, between the host's WebCrypto and JavaScript, by trying the exact
// calls that the package makes: an engine may claim ML-KEM but lack the seed form. The JavaScript
// implementations are dynamic imports, so a page whose engine has everything never loads them, and
// a server never loads Argon2. In Node, node-shortcuts.ts then handles small inputs, which saves a
// server most of their processing time. [Note: Groups] SHA, HKDF and AES are chosen together (every
// WebCrypto has them, an insecure context has none).

import { type Bytes, fillRandom, findNodeCrypto } from '../platform.ts';
import { findNativeArgon2id } from './native-argon2.ts';
import { findNativeClassic } from './native-classic.ts';
import { findNativeMlKem } from './native-mlkem.ts';
import { findNativeX25519 } from './native-x25519.ts';
import type { Argon2id, Classic, MlKem1024, Primitives, X25519 } from './port.ts';

/** Source of a primitive. `automatic` prefers native. */
type Origin = 'automatic' | 'native' | 'javascript';

/** Origin per group of primitives; a missing entry means `automatic`. */
export type PrimitiveChoice = {
  readonly classic?: Origin;
  readonly x25519?: Origin;
  readonly mlkem1024?: Origin;
  readonly argon2id?: Origin;
  /**
   * Whether Node's own crypto handles small inputs. Default: in Node, when no origin is required.
   */
  readonly node?: boolean;
};

type Picked = {
  readonly classic: Classic;
  readonly x25519: X25519;
  readonly mlkem1024: MlKem1024;
};

const RANDOM_CALL_BYTES = 65_536; // maximum bytes per getRandomValues call

let chosen: Promise<Primitives> | null = null;

/** Returns the primitives of this process or page, chosen at the first call. */
export function getPrimitives(): Promise<Primitives> {
  chosen ??= loadPrimitives();
  return chosen;
}

/**
 * Replaces the primitives in use, for tests and measurements; null restores the automatic choice.
 */
export function setPrimitives(primitives: Primitives | null): void {
  chosen = primitives === null ? null : Promise.resolve(primitives);
}

/**
 * Loads primitives of the given origins. Throws when `native` is required and the host lacks it.
 */
export async function loadPrimitives(choice: PrimitiveChoice = {}): Promise<Primitives> {
  const [classic, x25519, mlkem1024] = await Promise.all([
    pick(
      choice.classic,
      async () => findNativeClassic(),
      async () => (await import('./javascript-classic.ts')).javascriptClassic,
    ),
    pick(
      choice.x25519,
      findNativeX25519,
      async () => (await import('./javascript-x25519.ts')).javascriptX25519,
    ),
    pick(
      choice.mlkem1024,
      findNativeMlKem,
      async () => (await import('./javascript-mlkem.ts')).javascriptMlKem,
    ),
  ]);
  const picked = { classic, x25519, mlkem1024 };
  const quick = await withShortcuts(picked, choice);
  let argon2: Promise<Argon2id> | null = null;
  return {
    ...quick.classic,
    x25519: quick.x25519,
    mlkem1024: quick.mlkem1024,
    random: randomBytes,
    argon2id: async (password, salt, cost) => {
      argon2 ??= pick(
        choice.argon2id,
        findNativeArgon2id,
        async () => (await import('./javascript-argon2.ts')).javascriptArgon2id,
      );
      return (await argon2)(password, salt, cost);
    },
  };
}

async function withShortcuts(picked: Picked, choice: PrimitiveChoice): Promise<Picked> {
  const isFree = [choice.classic, choice.x25519, choice.mlkem1024].every(
    origin => origin === undefined || origin === 'automatic',
  );
  if (!(choice.node ?? isFree)) return picked;
  const shortened =
    findNodeCrypto() === null ? null : await (await import('./node-shortcuts.ts')).findNodeShortcuts(picked);
  if (shortened === null && choice.node) throw new Error('The host is no Node, or one that differs');
  return shortened ?? picked;
}

/** Returns `sizeBytes` random bytes from the host. */
export function randomBytes(sizeBytes: number): Bytes {
  const bytes = new Uint8Array(sizeBytes);
  for (let offset = 0; offset < sizeBytes; offset += RANDOM_CALL_BYTES)
    fillRandom(bytes.subarray(offset, offset + RANDOM_CALL_BYTES));
  return bytes;
}

async function pick<T>(
  origin: Origin = 'automatic',
  findNative: () => Promise<T | null>,
  loadJavaScript: () => Promise<T>,
): Promise<T> {
  if (origin === 'javascript') return loadJavaScript();
  const native = await findNative();
  if (native !== null) return native;
  if (origin === 'native') throw new Error('The host lacks a native primitive');
  return loadJavaScript();
}
