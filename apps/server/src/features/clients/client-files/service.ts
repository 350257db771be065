/**
 * [Note: Files of both builds] During a rolling upgrade, a page comes from one build while the load
 * balancer sends its file requests to a machine with another. Before it listens, each machine that
 * shares a database therefore stores the hashed, immutable files of its build there, and it serves
 * files stored by other machines when it lacks them. The database is not trusted: each file carries
 * a MAC by the server's key over its path and its SHA-256, and only files named in the build's list
 * (hashes.txt) get one. A page runs only the files that it is bound to in any case, and its service
 * worker only what was signed (ADR 44). The signed list of a build is shared the same way, under
 * the hashes of its start page and of its service worker.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress } from 'node:zlib';
import type { Deps } from '../../../context/deps.ts';
import { type ClientFile, createKeptFiles } from './kept-files.ts';
import { deleteOldFiles, findFile, lockFiles, nameFiles, type StoredFile, saveFile } from './store.ts';

const pack = promisify(brotliCompress);
const unpack = promisify(brotliDecompress);

/** Number of builds whose files are kept, the most recently started ones. */
export const CLIENT_BUILDS_KEPT = 5;
/** Maximum uncompressed size of a file, in bytes. */
const FILE_MAX_BYTES = 16 * 1024 * 1024;
/**
 * bundle.NAME.HASH.js at the root, and NAME.HASH.EXT directly under assets/, without further
 * folders.
 */
const HASHED = /^\/(?:bundle|assets\/[\w-]+)(?:\.[\w-]+)*\.[\w-]{7,}\.[a-z0-9]+$/;
const LIST = /^\/\.well-known\/keyfold\/client\.[0-9a-f]{64}\.json$/;
const LIST_LINE = /^([0-9a-f]{64}) {2}(\S+)$/gm;
/**
 * Files whose hashes locate a signed list: a browser has these of a build before it knows the rest.
 */
const LISTED_BY: readonly string[] = ['index.html', 'service-worker.js'];
const SEAL = 'web client file';

/** Returns whether a path belongs to a file with a hash in its name. */
export const isHashedPath = (at: string): boolean => HASHED.test(at);

/** Returns whether machines serve this path for each other. */
export const isSharedPath = (at: string): boolean => HASHED.test(at) || LIST.test(at);

/**
 * Returns the path of the signed list that names a start page or service worker with this
 * hexadecimal SHA-256.
 */
const listPath = (hash: string): string => `/.well-known/keyfold/client.${hash}.json`;

const hashOf = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

type Key = Pick<Deps, 'masterKey'>;
const sealOf = ({ masterKey }: Key, at: string, hash: Uint8Array): Buffer => masterKey.digest(SEAL, at, hash);

/** Returns the file that some machine stored, after verifying its seal, or null. */
export async function findClientFile(deps: Deps, at: string): Promise<ClientFile | null> {
  const stored = await findFile(deps.db, at);
  if (stored === undefined) return null;
  try {
    const plain = await unpack(stored.packed, { maxOutputLength: FILE_MAX_BYTES });
    if (timingSafeEqual(stored.seal, sealOf(deps, at, hashOf(plain))))
      return { plain, packed: stored.packed };
  } catch {
    // Invalid brotli or a wrong seal: treated like any other tampering.
  }
  deps.logger.warn({ path: at }, 'stored web client file has an invalid MAC, ignoring it');
  return null;
}

/**
 * Returns a finder of files that any machine stored, with an in-memory cache. An embedded database
 * has no other machines.
 */
export const createClientFiles = (deps: Deps): ((at: string) => Promise<ClientFile | null>) =>
  deps.config.databaseUrl === undefined ? async () => null : createKeptFiles(at => findClientFile(deps, at));

/** File of the build, read only if it is missing from the database. */
type Own = { readonly at: string; readonly seal: Buffer; readonly read: () => Promise<Buffer> };

/**
 * Returns the files of the build in `root` that its list names, plus the list itself, passed as
 * `signed`.
 */
function ownFiles(deps: Key, root: string, list: string, signed: string): Own[] {
  const files: Own[] = [];
  for (const [, hash = '', name = ''] of list.matchAll(LIST_LINE)) {
    if (LISTED_BY.includes(name)) {
      const [at, bytes] = [listPath(hash), Buffer.from(signed)];
      files.push({ at, seal: sealOf(deps, at, hashOf(bytes)), read: () => pack(bytes) });
    } else if (HASHED.test(`/${name}`)) {
      const file = path.join(root, name);
      files.push({
        at: `/${name}`,
        seal: sealOf(deps, `/${name}`, Buffer.from(hash, 'hex')),
        read: () => readFile(`${file}.br`).catch(async () => pack(await readFile(file))),
      });
    }
  }
  return files;
}

/**
 * Stores the build in `root` for all machines. `list` is its list of hashes, `signed` the same list
 * with its signature.
 */
export async function shareClientFiles(
  deps: Deps,
  root: string,
  list: string,
  signed: string,
): Promise<void> {
  const files = ownFiles(deps, root, list, signed);
  if (files.length === 0) return;
  const build = hashOf(Buffer.from(list));
  await deps.db.transaction().execute(async trx => {
    await lockFiles(trx);
    const paths = files.map(({ at }) => at);
    const there = new Map((await nameFiles(trx, build, paths)).map(({ path, seal }) => [path, seal]));
    for (const { at, seal, read } of files) {
      if (there.get(at)?.equals(seal) === true) continue;
      const file: StoredFile = { path: at, seal, packed: await read() };
      await saveFile(trx, build, file);
    }
    await deleteOldFiles(trx, CLIENT_BUILDS_KEPT);
  });
}
