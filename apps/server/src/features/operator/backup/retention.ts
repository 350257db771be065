/**
 * Removes old backups beside a new one. Considers only folders with a manifest of this service's
 * own backups of the same kind. Everything else in the folder stays, including incomplete backups.
 */
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { type Manifest, readManifest } from './manifest.ts';

type Found = { readonly dir: string; readonly manifest: Manifest };

async function findBackup(dir: string): Promise<Found | null> {
  const manifest = await readManifest(dir).catch(() => null);
  return manifest === null ? null : { dir, manifest };
}

const isOfSameService = (one: Manifest, other: Manifest): boolean =>
  one.kind === other.kind && one.master_key.fingerprint === other.master_key.fingerprint;

/**
 * Keeps the backup in `dir` and the newest others beside it, `keep` in total. Returns the folders
 * that it removed.
 */
export async function removeOldBackups(dir: string, keep: number): Promise<string[]> {
  const own = await readManifest(dir);
  const folder = path.dirname(dir);
  const entries = await readdir(folder, { withFileTypes: true });
  const others: Found[] = [];
  for (const entry of entries) {
    // A link may lead anywhere.
    if (!entry.isDirectory() || entry.name === path.basename(dir)) continue;
    const found = await findBackup(path.join(folder, entry.name));
    if (found !== null && isOfSameService(found.manifest, own)) others.push(found);
  }
  const old = others
    .sort((a, b) => Date.parse(b.manifest.made_at) - Date.parse(a.manifest.made_at))
    .slice(keep - 1)
    .map(one => one.dir);
  for (const one of old) await rm(one, { recursive: true });
  return old.sort();
}
