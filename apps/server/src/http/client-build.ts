/**
 * Checks whether the built web client belongs to this server. The first line of a build's hash list
 * contains the hash of the sources it was built from; the server computes the same hash of its own
 * checkout at startup. A different client could call endpoints that this server does not have, so
 * it is not served: mail keeps flowing, and the log says what to do.
 */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Logger } from '../base/logger.ts';

const CHECKOUT = path.resolve(import.meta.dirname, '../../../..');
/** The tool that builds the client and knows its sources. */
const BUILD_TOOL = path.join(CHECKOUT, 'tools/web-build.mjs');
const LIST_FILE = 'hashes.txt';
const FIRST_LINE = /^# Keyfold \S+, built of ([0-9a-f]+)/;
const FIRST_LINE_BYTES = 256;

/** Returns the hash of the sources in this checkout that the client is built from. */
export async function findOwnBuild(): Promise<string> {
  const tool = (await import(pathToFileURL(BUILD_TOOL).href)) as { hashInputs: (root: string) => string };
  return tool.hashInputs(CHECKOUT);
}

function readBuild(file: string): string | null {
  const head = Buffer.alloc(FIRST_LINE_BYTES);
  const handle = openSync(file, 'r');
  try {
    const length = readSync(handle, head);
    return FIRST_LINE.exec(head.toString('latin1', 0, length))?.[1] ?? null;
  } finally {
    closeSync(handle);
  }
}

/**
 * Returns a check of the client in a folder, which rereads the hash list whenever it changes; each
 * change to a client of another build is logged once. A folder without a list contains no complete
 * build.
 */
export function createBuildCheck(root: string, own: string, logger: Logger): () => boolean {
  const file = path.join(root, LIST_FILE);
  let known: { readonly changedAtMs: number; readonly isOwn: boolean } | null = null;
  return () => {
    const changedAtMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (changedAtMs === undefined) return false;
    if (known?.changedAtMs === changedAtMs) return known.isOwn;
    const isOwn = readBuild(file) === own;
    if (!isOwn)
      logger.error(
        { folder: root },
        'web client build does not match the server, not serving it: run node tools/ensure.mjs --build, then restart',
      );
    known = { changedAtMs, isOwn };
    return isOwn;
  };
}
