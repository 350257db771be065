/**
 * The operator's storage settings: database, archive of its changes, encrypted blobs. Base layer:
 * opens nothing.
 */
import { z } from 'zod';
import { serverUrls } from './database-url.ts';

export type StorageConfig = {
  /** Undefined: the embedded PostgreSQL. */
  readonly databaseUrl: string | undefined;
  /** Where the embedded PostgreSQL archives its changes; undefined: archiving is disabled. */
  readonly walArchive: string | undefined;
  /** The bucket for blobs; undefined: files under the data directory. */
  readonly s3:
    | {
        readonly endpoint: string;
        readonly bucket: string;
        readonly accessKey: string;
        readonly secretKey: string;
        readonly region: string;
      }
    | undefined;
  /** Whether blobs that are still files under the data directory are moved to the bucket. */
  readonly isMovingFiles: boolean;
};

/** A folder name that is safe between quotes in PostgreSQL's commands (db/wal-archive.ts). */
const ARCHIVE_PATH = /^\/[A-Za-z0-9_.,:@+/ -]+$/;

const isUrl = (text: string, protocols: readonly string[]): boolean =>
  URL.canParse(text) && protocols.includes(new URL(text).protocol);

/**
 * A URL with one of these protocols, given with their colons; `split` when one text may name
 * several.
 */
export const url = (protocols: readonly string[], split: (text: string) => string[] = text => [text]) =>
  z
    .string()
    .refine(text => split(text).every(one => isUrl(one, protocols)), {
      message: `must be a URL that starts with ${protocols.map(p => `${p}//`).join(' or ')}`,
    })
    .optional();

/** Environment variables. */
export const storageEnvironment = {
  DATABASE_URL: url(['postgres:', 'postgresql:'], serverUrls),
  KEYFOLD_WAL_ARCHIVE: z
    .string()
    .regex(
      ARCHIVE_PATH,
      'must be the absolute path of a folder, with only letters, digits, spaces and _.,:@+-',
    )
    .optional(),
  S3_ENDPOINT: url(['http:', 'https:']),
  S3_BUCKET: z.string().optional(),
  S3_ACCESS_KEY: z.string().optional(),
  S3_SECRET_KEY: z.string().optional(),
  S3_REGION: z.string().default('us-east-1'),
  KEYFOLD_MOVE_FILES: z.enum(['true', 'false'], { message: 'must be true or false' }).default('false'),
} as const;

type Given = z.output<z.ZodObject<typeof storageEnvironment>>;

/** Returns what is wrong with variables that depend on each other; null when they are valid. */
export function findStorageProblem(given: Given): string | null {
  const parts = [given.S3_ENDPOINT, given.S3_BUCKET, given.S3_ACCESS_KEY, given.S3_SECRET_KEY];
  const count = parts.filter(part => part !== undefined).length;
  if (count !== 0 && count !== parts.length)
    return 'S3_ENDPOINT: requires S3_BUCKET, S3_ACCESS_KEY and S3_SECRET_KEY';
  if (given.KEYFOLD_MOVE_FILES === 'true' && count === 0)
    return 'KEYFOLD_MOVE_FILES: requires S3_ENDPOINT and the other S3_ settings';
  if (given.KEYFOLD_WAL_ARCHIVE !== undefined && given.DATABASE_URL !== undefined)
    return 'KEYFOLD_WAL_ARCHIVE: works only with the embedded PostgreSQL; with DATABASE_URL, use the tools of that database';
  return null;
}

/** Reads the settings. */
export const readStorageConfig = (given: Given): StorageConfig => ({
  databaseUrl: given.DATABASE_URL,
  walArchive: given.KEYFOLD_WAL_ARCHIVE,
  s3:
    given.S3_ENDPOINT && given.S3_BUCKET && given.S3_ACCESS_KEY && given.S3_SECRET_KEY
      ? {
          endpoint: given.S3_ENDPOINT,
          bucket: given.S3_BUCKET,
          accessKey: given.S3_ACCESS_KEY,
          secretKey: given.S3_SECRET_KEY,
          region: given.S3_REGION,
        }
      : undefined,
  isMovingFiles: given.KEYFOLD_MOVE_FILES === 'true',
});
