/**
 * The description of a backup, manifest.json, with its SHA-256 in manifest.sha256. It is written
 * last: a folder without one is an incomplete backup.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { MasterKey } from '../../../base/master-key.ts';
import { readRegular } from '../../../base/regular-file.ts';
import { CONTENTS_FILE, measureFile, readContents } from './contents.ts';
import { BackupError } from './failure.ts';

const MANIFEST_FILE = 'manifest.json';
const HASH_FILE = 'manifest.sha256';
const MARK_FILE = 'manifest.mark';
const MARK_PURPOSE = 'backup manifest';
const FILE_MODE = 0o600;

const name = z.string().regex(/^[a-z][a-z0-9_]*$/);
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const number = z.int().nonnegative();

const manifest = z.object({
  format: z.literal('keyfold-backup 1'),
  /**
   * tables: rows, for any PostgreSQL. base: the files of the embedded PostgreSQL, for a
   * point-in-time restore.
   */
  kind: z.enum(['tables', 'base']),
  made_at: z.iso.datetime(),
  postgres_version: z.string(),
  /** Names of the migrations that create its schema. */
  migrations: z.array(z.string()).min(1),
  tables: z.array(z.object({ name, columns: z.array(name), rows: number })),
  sequences: z.array(z.object({ name, value: z.string().regex(/^\d+$/) })),
  containers: z.object({
    count: number,
    size_bytes: number,
    /** Ids that messages refer to but that were not in the store: lost before the backup. */
    missing: z.array(z.uuid()),
  }),
  /**
   * SHA-256 that identifies the server's key, null when it had none; whether the key is in the
   * backup.
   */
  master_key: z.object({ fingerprint: hash.nullable(), is_inside: z.boolean() }),
  contents_sha256: hash,
});

export type Manifest = z.output<typeof manifest>;

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');

async function writeSafely(file: string, text: string): Promise<void> {
  const handle = await open(`${file}.part`, 'wx', FILE_MODE);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.part`, file);
}

/**
 * Completes a backup by writing its manifest. Hashes detect damage; a MAC under the server's key
 * detects backups that others created or changed.
 */
export async function writeManifest(
  dir: string,
  content: Manifest,
  masterKey: MasterKey | null,
): Promise<void> {
  const text = `${JSON.stringify(manifest.parse(content), null, 2)}\n`;
  if (masterKey !== null)
    await writeSafely(path.join(dir, MARK_FILE), `${masterKey.digest(MARK_PURPOSE, text).toString('hex')}\n`);
  await writeSafely(path.join(dir, HASH_FILE), `${sha256Of(text)}\n`);
  await writeSafely(path.join(dir, MANIFEST_FILE), text);
}

/**
 * Returns a small file of a backup as text, or null when it cannot be read. Does not block on a
 * pipe.
 */
function findText(dir: string, name: string): string | null {
  try {
    return readRegular(path.join(dir, name)).toString('utf8');
  } catch {
    return null;
  }
}

/**
 * Reads the manifest. Rejects with BackupError if it is missing or differs from what was written.
 */
export async function readManifest(dir: string): Promise<Manifest> {
  if (!existsSync(path.join(dir, MANIFEST_FILE)))
    throw new BackupError(`${dir} contains no complete backup: ${MANIFEST_FILE} is missing`);
  const damaged = new BackupError(`The backup in ${dir} is damaged: ${MANIFEST_FILE} was changed`);
  const text = findText(dir, MANIFEST_FILE);
  if (text === null || sha256Of(text) !== findText(dir, HASH_FILE)?.trim()) throw damaged;
  const found = manifest.safeParse(JSON.parse(text));
  if (!found.success) throw new BackupError(`The backup in ${dir} was made by an unknown version of Keyfold`);
  return found.data;
}

/**
 * Returns whether the backup has a MAC under this key for the given manifest; false when it has no
 * MAC. Rejects with BackupError when the MAC is not from this key or belongs to another manifest.
 */
export async function isMarkedBy(masterKey: MasterKey, dir: string, read: Manifest): Promise<boolean> {
  const mark = findText(dir, MARK_FILE);
  if (mark === null) return false;
  const text = findText(dir, MANIFEST_FILE) ?? '';
  const expected = masterKey.digest(MARK_PURPOSE, text);
  const given = Buffer.from(mark.trim(), 'hex');
  const isOfKey = given.length === expected.length && timingSafeEqual(given, expected);
  if (isOfKey && isDeepStrictEqual(manifest.parse(JSON.parse(text)), read)) return true;
  throw new BackupError(
    `The backup in ${dir} was changed without the server's key: ${MARK_FILE} does not match ${MANIFEST_FILE}`,
  );
}

/**
 * Reads all of a backup and compares it with its hashes. Returns the manifest. Rejects with
 * BackupError.
 */
export async function verifyBackup(dir: string): Promise<Manifest> {
  const found = await readManifest(dir);
  const damaged = (file: string, what: string) =>
    new BackupError(`The backup in ${dir} is damaged: ${file} ${what}`);
  const list = await measureFile(path.join(dir, CONTENTS_FILE)).catch(() => null);
  if (list === null) throw damaged(CONTENTS_FILE, 'is missing');
  if (list.sha256 !== found.contents_sha256) throw damaged(CONTENTS_FILE, 'was changed');
  for await (const entry of readContents(dir)) {
    const is = await measureFile(path.join(dir, entry.path)).catch(() => null);
    if (is === null) throw damaged(entry.path, 'is missing');
    if (is.sha256 !== entry.sha256) throw damaged(entry.path, 'was changed');
  }
  return found;
}
