// Chooses, once and per primitive, between the host's WebCrypto and JavaScript, by trying the very calls we make
// (an engine that claims ML-KEM but lacks the seed form must not be trusted on its word). The JavaScript ones are
// dynamic imports, so a page whose engine has everything never loads them, and a server never loads Argon2.
// In Node, node-shortcuts.ts then takes over what is small, which saves a server most of the time it takes.
// [Note: Groups] SHA, HKDF and AES come and go together (every WebCrypto has them, an insecure context has none).

import { type Bytes, fillRandom, findNodeCrypto } from '../platform.ts';
import { findNativeArgon2id } from './native-argon2.ts';
import { findNativeClassic } from './native-classic.ts';
import { findNativeMlKem } from './native-mlkem.ts';
import { findNativeX25519 } from './native-x25519.ts';
import type { Argon2id, Classic, MlKem1024, Primitives, X25519 } from './port.ts';

/** Where a primitive comes from. `automatic` prefers native. */
type Origin = 'automatic' | 'native' | 'javascript';

/** Origin per group of primitives; a missing one is `automatic`. */
export type PrimitiveChoice = {
  readonly classic?: Origin;
  readonly x25519?: Origin;
  readonly mlkem1024?: Origin;
  readonly argon2id?: Origin;
  /** Whether Node's own crypto takes the small work over. Absent: where there is a Node and no origin is demanded. */
  readonly node?: boolean;
};

type Picked = {
  readonly classic: Classic;
  readonly x25519: X25519;
  readonly mlkem1024: MlKem1024;
};

const RANDOM_CALL_BYTES = 65_536; // the most getRandomValues gives at once

let chosen: Promise<Primitives> | null = null;

/** The primitives of this process or page; chosen at the first call. */
export function getPrimitives(): Promise<Primitives> {
  chosen ??= loadPrimitives();
  return chosen;
}

/** Replaces the primitives in use, for tests and measurements; null goes back to the automatic choice. */
export function setPrimitives(primitives: Primitives | null): void {
  chosen = primitives === null ? null : Promise.resolve(primitives);
}

/** Loads primitives of the given origins; throws when `native` is demanded and the host has none. */
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

/** `sizeBytes` random bytes of the host. */
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
