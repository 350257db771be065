// The shared PST files, decompressed where necessary; absent on most machines.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../../../shared/data/pst');

export const hasPstCorpus = existsSync(FOLDER);
export const NO_PST_CORPUS = 'shared/data/pst is absent beside the repository';

function unpack(name: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(execFileSync('xz', ['-dc', join(FOLDER, name)], { maxBuffer: 1 << 28 }));
  } catch {
    // A machine without xz still has the other files.
    return null;
  }
}

/** Returns the files by name without '.xz'. */
export function pstCorpus(): Map<string, Uint8Array<ArrayBuffer>> {
  const found = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const name of hasPstCorpus ? readdirSync(FOLDER).sort() : []) {
    const isPacked = name.endsWith('.pst.xz');
    if (!isPacked && !name.endsWith('.pst')) continue;
    const bytes = isPacked ? unpack(name) : new Uint8Array(readFileSync(join(FOLDER, name)));
    if (bytes !== null) found.set(name.replace(/\.xz$/, ''), bytes);
  }
  return found;
}

/** What another reader found in a file: folders with their items. */
export type ExpectedPst = {
  folders?: {
    path: string;
    count: number;
    items?: { cls: string; subject: string; att: { name: string }[]; date: string | null; mid: string }[];
  }[];
};

export const expectedOf = (name: string): ExpectedPst =>
  JSON.parse(readFileSync(join(FOLDER, 'expected', `${name}.json`), 'utf8')) as ExpectedPst;

/** Returns the paths of the files, for a process that reads them itself. */
export function corpusFiles(): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'pst-corpus-'));
  return [...pstCorpus()].map(([name, bytes]) => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    return path;
  });
}
