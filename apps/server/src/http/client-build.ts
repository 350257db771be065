/**
 * Whether the built web client belongs to this server. The first line of a build's list of hashes names the hash of the sources
 * that it was made from; the server computes that of its own checkout when it starts. Another client could call what this server
 * does not know, so it is not served: mail goes on, and the log says what to do.
 */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Logger } from '../base/logger.ts';

const CHECKOUT = path.resolve(import.meta.dirname, '../../../..');
/** The tool that builds the client, which knows what it is made from. */
const BUILD_TOOL = path.join(CHECKOUT, 'tools/web-build.mjs');
const LIST_FILE = 'hashes.txt';
const FIRST_LINE = /^# Keyfold \S+, built of ([0-9a-f]+)/;
const FIRST_LINE_BYTES = 256;

/** Hash of the sources in this checkout that a client is built from. */
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
 * A check of the client in a folder, read again whenever its list changes; each change to a client of another build is logged once.
 * A folder without a list holds no whole build.
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
        'the web client is of another build than the server and is not served: run node tools/ensure.mjs --build, then restart',
      );
    known = { changedAtMs, isOwn };
    return isOwn;
  };
}
