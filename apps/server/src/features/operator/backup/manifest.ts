/**
 * What a backup says of itself, manifest.json, with its SHA-256 in manifest.sha256. It is written last: a folder without
 * one is a backup that broke off.
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
  /** tables: rows, for any PostgreSQL. base: the files of the embedded PostgreSQL, for a restore to a point in time. */
  kind: z.enum(['tables', 'base']),
  made_at: z.iso.datetime(),
  postgres_version: z.string(),
  /** Names of the migrations that make its schema. */
  migrations: z.array(z.string()).min(1),
  tables: z.array(z.object({ name, columns: z.array(name), rows: number })),
  sequences: z.array(z.object({ name, value: z.string().regex(/^\d+$/) })),
  containers: z.object({
    count: number,
    size_bytes: number,
    /** Ids that mail refers to and of which the store had nothing: lost before the backup. */
    missing: z.array(z.uuid()),
  }),
  /** SHA-256 that tells the server's key from others, null when it had none; whether the key is in the backup. */
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

/** Ends a backup: from now on it is one. Hashes tell damage; a mark by the server's key tells what others made or changed. */
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

/** A small file of a backup as text, or null when it cannot be read; at a pipe nobody waits. */
function findText(dir: string, name: string): string | null {
  try {
    return readRegular(path.join(dir, name)).toString('utf8');
  } catch {
    return null;
  }
}

/** Reads the manifest. Rejects with BackupError when there is none, or it is not what was written. */
export async function readManifest(dir: string): Promise<Manifest> {
  if (!existsSync(path.join(dir, MANIFEST_FILE)))
    throw new BackupError(`${dir} holds no whole backup: it has no ${MANIFEST_FILE}`);
  const damaged = new BackupError(
    `The backup in ${dir} is damaged: ${MANIFEST_FILE} is not what was written`,
  );
  const text = findText(dir, MANIFEST_FILE);
  if (text === null || sha256Of(text) !== findText(dir, HASH_FILE)?.trim()) throw damaged;
  const found = manifest.safeParse(JSON.parse(text));
  if (!found.success)
    throw new BackupError(
      `The backup in ${dir} was made by a version of Keyfold that this one does not know`,
    );
  return found.data;
}

/**
 * Whether a key marked the backup with this manifest, as it was read; false when nobody did. Rejects with BackupError when the mark
 * is not the key's, or another manifest's.
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
    `The backup in ${dir} was changed by somebody without the server's key: its ${MARK_FILE} is not that of ${MANIFEST_FILE}`,
  );
}

/** Reads all of a backup and compares it with its hashes; answers the manifest. Rejects with BackupError. */
export async function verifyBackup(dir: string): Promise<Manifest> {
  const found = await readManifest(dir);
  const damaged = (file: string, what: string) =>
    new BackupError(`The backup in ${dir} is damaged: ${file} ${what}`);
  const list = await measureFile(path.join(dir, CONTENTS_FILE)).catch(() => null);
  if (list === null) throw damaged(CONTENTS_FILE, 'is not there');
  if (list.sha256 !== found.contents_sha256) throw damaged(CONTENTS_FILE, 'is not what was written');
  for await (const entry of readContents(dir)) {
    const is = await measureFile(path.join(dir, entry.path)).catch(() => null);
    if (is === null) throw damaged(entry.path, 'is not there');
    if (is.sha256 !== entry.sha256) throw damaged(entry.path, 'is not what was written');
  }
  return found;
}
