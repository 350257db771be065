/**
 * Whether there is room on the disk for what people bring. It is refused a little before the disk is full: what is left is for
 * PostgreSQL, which cannot go on without any, and so for reading, deleting and signing in.
 */
import { statfs } from 'node:fs/promises';
import type { Config } from '../config/config.ts';

export type DiskRoom = {
  /** Whether more may be brought. Never rejects: where it cannot be asked there is room. */
  readonly hasRoom: () => Promise<boolean>;
};

const MIB = 1024 * 1024;
/** The share of the disk that is kept free, and its bounds in bytes. */
const RESERVE_SHARE = 0.05;
const RESERVE_MIN_BYTES = 48 * MIB;
const RESERVE_MAX_BYTES = 512 * MIB;
/** File systems that count their files keep a hundredth of them, up to so many. */
const FILES_SHARE = 0.01;
const FILES_MAX = 2_000;
/** An answer is good for this long. */
const KEPT_MS = 500;

async function isRoomOn(folder: string): Promise<boolean> {
  const { bavail, blocks, bsize, ffree, files } = await statfs(folder);
  const reserveBytes = Math.min(
    RESERVE_MAX_BYTES,
    Math.max(RESERVE_MIN_BYTES, blocks * bsize * RESERVE_SHARE),
  );
  return bavail * bsize > reserveBytes && (files === 0 || ffree > Math.min(FILES_MAX, files * FILES_SHARE));
}

/** Looks at the disk of the data directory, where database or containers lie on it. */
export function createDiskRoom({
  dataDir,
  databaseUrl,
  s3,
}: Pick<Config, 'dataDir' | 'databaseUrl' | 's3'>): DiskRoom {
  if (databaseUrl !== undefined && s3 !== undefined) return { hasRoom: async () => true };
  let known: { readonly answer: Promise<boolean>; readonly untilMs: number } | null = null;
  return {
    hasRoom: () => {
      const now = performance.now();
      if (known === null || known.untilMs < now)
        known = { answer: isRoomOn(dataDir).catch(() => true), untilMs: now + KEPT_MS };
      return known.answer;
    },
  };
}
