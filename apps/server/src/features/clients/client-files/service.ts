/**
 * [Note: Files of both builds] While machines are exchanged one by one, a page comes from one build and the balancer asks a machine
 * of another for its files. So each machine that shares its database puts the files of its build there before it listens, those
 * whose name holds a hash and never changes, and gives out what others brought when it has no such file itself. The database is
 * not believed: a file bears a seal by the server's key over its path and its SHA-256, and only what the list of its build
 * (hashes.txt) names is sealed. A page runs what it is bound to in any case, and its service worker what was signed (ADR 44).
 * The signed list of a build goes the same way, by the hashes of its start page and of its service worker.
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

/** Builds whose files are kept, the ones that were started last. */
export const CLIENT_BUILDS_KEPT = 5;
/** The largest file, unpacked. */
const FILE_MAX_BYTES = 16 * 1024 * 1024;
/** bundle.NAME.HASH.js at the root, and NAME.HASH.EXT under assets/: never with another folder in it. */
const HASHED = /^\/(?:bundle|assets\/[\w-]+)(?:\.[\w-]+)*\.[\w-]{7,}\.[a-z0-9]+$/;
const LIST = /^\/\.well-known\/keyfold\/client\.[0-9a-f]{64}\.json$/;
const LIST_LINE = /^([0-9a-f]{64}) {2}(\S+)$/gm;
/** By these a signed list is found: what a browser has of a build before it knows the rest. */
const LISTED_BY: readonly string[] = ['index.html', 'service-worker.js'];
const SEAL = 'web client file';

/** Whether a path is one of a file whose name holds a hash. */
export const isHashedPath = (at: string): boolean => HASHED.test(at);

/** Whether machines give out what is at this path for each other. */
export const isSharedPath = (at: string): boolean => HASHED.test(at) || LIST.test(at);

/** Where the signed list is that names a start page or a service worker with this SHA-256, in hexadecimal. */
const listPath = (hash: string): string => `/.well-known/keyfold/client.${hash}.json`;

const hashOf = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

type Key = Pick<Deps, 'masterKey'>;
const sealOf = ({ masterKey }: Key, at: string, hash: Uint8Array): Buffer => masterKey.digest(SEAL, at, hash);

/** The file that some machine brought, as it was sealed; null when there is none. */
export async function findClientFile(deps: Deps, at: string): Promise<ClientFile | null> {
  const stored = await findFile(deps.db, at);
  if (stored === undefined) return null;
  try {
    const plain = await unpack(stored.packed, { maxOutputLength: FILE_MAX_BYTES });
    if (timingSafeEqual(stored.seal, sealOf(deps, at, hashOf(plain))))
      return { plain, packed: stored.packed };
  } catch {
    // Neither brotli nor a seal: as any other change of it.
  }
  deps.logger.warn({ path: at }, 'a stored file of the web client is not as it was sealed');
  return null;
}

/** Finds files that some machine brought, the few that all ask for in memory. A database of one's own has no other machines. */
export const createClientFiles = (deps: Deps): ((at: string) => Promise<ClientFile | null>) =>
  deps.config.databaseUrl === undefined ? async () => null : createKeptFiles(at => findClientFile(deps, at));

/** A file of the build, to be stored once it is known to be missing. */
type Own = { readonly at: string; readonly seal: Buffer; readonly read: () => Promise<Buffer> };

/** The files of the build in `root` that its list names, and the list itself, which is `signed`. */
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

/** Puts the build in `root` where all machines find it; `list` is its list of hashes, `signed` the same with its signature. */
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
