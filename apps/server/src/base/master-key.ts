/**
 * The server's own key, which encrypts queued outbound mail and private DKIM keys. The key is 32
 * random bytes in KEYFOLD_DATA/keys/master.key (readable by its owner only), created at the first
 * start; all nodes of one service share it. It cannot decrypt mailboxes.
 */
import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { findOtherAccount } from './file-owner.ts';
import { StartRefused } from './start-refused.ts';

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

export type MasterKey = {
  /** IV12 || AES-256-GCM(purpose key, bytes, AD = context) || tag. */
  readonly seal: (purpose: string, context: string, plain: Uint8Array) => Buffer;
  /** Inverse of seal. Throws when anything differs. */
  readonly open: (purpose: string, context: string, sealed: Uint8Array) => Buffer;
  /** HMAC-SHA-256 under the key of this purpose. */
  readonly digest: (purpose: string, ...parts: readonly (Uint8Array | string)[]) => Buffer;
};

/** Creates a MasterKey from 32 secret bytes. */
export function createMasterKey(secret: Uint8Array): MasterKey {
  const keys = new Map<string, Buffer>();
  const keyFor = (purpose: string): Buffer => {
    let key = keys.get(purpose);
    if (key === undefined) {
      key = Buffer.from(hkdfSync('sha256', secret, new Uint8Array(0), `keyfold ${purpose}`, KEY_BYTES));
      keys.set(purpose, key);
    }
    return key;
  };
  return {
    seal: (purpose, context, plain) => {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), iv).setAAD(Buffer.from(context));
      return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    },
    open: (purpose, context, sealed) => {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
      const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose), bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
      return Buffer.concat([
        decipher.update(bytes.subarray(IV_BYTES, bytes.length - TAG_BYTES)),
        decipher.final(),
      ]);
    },
    digest: (purpose, ...parts) => {
      const mac = createHmac('sha256', keyFor(purpose));
      for (const part of parts) {
        const bytes = typeof part === 'string' ? Buffer.from(part) : part;
        const length = Buffer.alloc(8);
        length.writeBigUInt64BE(BigInt(bytes.length));
        mac.update(length).update(bytes);
      }
      return mac.digest();
    },
  };
}

/** Returns the path of the key in a data directory. */
export const masterKeyFile = (dataDir: string): string => path.join(dataDir, 'keys', 'master.key');

/**
 * Returns a SHA-256 that identifies a key without revealing anything about it; null when there is
 * no key.
 */
export const findMasterKeyFingerprint = (file: string): string | null =>
  existsSync(file)
    ? createHash('sha256')
        .update(`keyfold master.key ${readFileSync(file, 'utf8').trim()}`)
        .digest('hex')
    : null;

const KEY_TEXT = /^[A-Za-z0-9+/]{43}=$/;

/**
 * Returns the fingerprint that identifies a key in the database. It reveals nothing about the key.
 */
export const fingerprintOf = (key: MasterKey): Buffer => key.digest('master key fingerprint');

/**
 * Returns the key of a data directory; null when there is none. Throws StartRefused when it is
 * damaged or cannot be read.
 */
export function findMasterKey(dataDir: string): MasterKey | null {
  const file = masterKeyFile(dataDir);
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    const other = findOtherAccount(file) ?? findOtherAccount(path.dirname(file));
    throw new StartRefused(
      `Cannot read the server's key ${file} (${code})${other === null ? '' : `: run as ${other}`}`,
    );
  }
  if (!KEY_TEXT.test(text))
    throw new StartRefused(`The server's key ${file} is damaged: restore your copy of it`);
  return createMasterKey(Buffer.from(text, 'base64'));
}

function makeMasterKey(dataDir: string): void {
  const file = masterKeyFile(dataDir);
  const dir = path.dirname(file);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const draft = path.join(dir, `master.key.${process.pid}`);
  const handle = openSync(draft, 'wx', 0o600);
  try {
    writeSync(handle, `${randomBytes(KEY_BYTES).toString('base64')}\n`);
    fsyncSync(handle);
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    closeSync(handle);
    unlinkSync(draft);
  }
}

/**
 * Reads the key of a data directory, or creates it. Two processes that start at once get the same
 * key.
 */
export function loadMasterKey(dataDir: string): MasterKey {
  const found = findMasterKey(dataDir);
  if (found !== null) return found;
  makeMasterKey(dataDir);
  return loadMasterKey(dataDir);
}
