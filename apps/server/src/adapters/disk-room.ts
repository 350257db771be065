/**
 * Checks whether the disk has space for data that users upload. Uploads are refused shortly before
 * the disk is full: the rest is reserved for PostgreSQL, which stops without free space, and with
 * it reading, deleting and signing in.
 */
import { statfs } from 'node:fs/promises';
import type { Config } from '../config/config.ts';

export type DiskRoom = {
  /**
   * Returns whether more data is accepted. Never rejects: assumes that there is space when the disk
   * cannot be checked.
   */
  readonly hasRoom: () => Promise<boolean>;
};

const MIB = 1024 * 1024;
/** Share of the disk that is kept free, and its bounds in bytes. */
const RESERVE_SHARE = 0.05;
const RESERVE_MIN_BYTES = 48 * MIB;
const RESERVE_MAX_BYTES = 512 * MIB;
/**
 * On file systems with a fixed number of files, a hundredth of them is kept free, up to this
 * maximum.
 */
const FILES_SHARE = 0.01;
const FILES_MAX = 2_000;
/** How long a result is cached, in milliseconds. */
const KEPT_MS = 500;

async function isRoomOn(folder: string): Promise<boolean> {
  const { bavail, blocks, bsize, ffree, files } = await statfs(folder);
  const reserveBytes = Math.min(
    RESERVE_MAX_BYTES,
    Math.max(RESERVE_MIN_BYTES, blocks * bsize * RESERVE_SHARE),
  );
  return bavail * bsize > reserveBytes && (files === 0 || ffree > Math.min(FILES_MAX, files * FILES_SHARE));
}

/** Checks the disk of the data directory when the database or the blobs are on it. */
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
