// Test support: the shared corpora beside the repository. Tests that need them skip with a message
// when the folder is absent. Not part of the product.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SHARED = join(import.meta.dirname, '../../../../shared/data');

/** Whether the corpora are on this machine. */
export const hasCorpora = existsSync(SHARED);

/** Message of skipped suites. */
export const NO_CORPORA = 'shared/data is absent beside the repository';

/** Returns an absolute path inside the corpora. */
export function corpusPath(path: string): string {
  return join(SHARED, path);
}

function walk(folder: string, found: string[]): string[] {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) walk(path, found);
    else found.push(path);
  }
  return found;
}

const NOT_MESSAGES =
  /\.(?:json|expected|ref|golden|md|q|b|base64|quoted-printable|html|tree|txt\.out)$|codec_/i;

/** Returns every message of the corpora: its relative path and its bytes. */
export function corpusMessages(): { path: string; raw: Uint8Array }[] {
  if (!hasCorpora) return [];
  return walk(corpusPath('mime'), [])
    .filter(path => !NOT_MESSAGES.test(path))
    .map(path => ({ path: path.slice(SHARED.length + 1), raw: new Uint8Array(readFileSync(path)) }));
}
