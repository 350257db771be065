/**
 * What the operator says about where things lie: database, archive of its changes, containers. Ground: nothing is opened
 * here.
 */
import { z } from 'zod';
import { serverUrls } from './database-url.ts';

export type StorageConfig = {
  /** Undefined: the embedded PostgreSQL. */
  readonly databaseUrl: string | undefined;
  /** Where the embedded PostgreSQL archives its changes; undefined: nowhere. */
  readonly walArchive: string | undefined;
  /** The bucket of the containers; undefined: files under the data directory. */
  readonly s3:
    | {
        readonly endpoint: string;
        readonly bucket: string;
        readonly accessKey: string;
        readonly secretKey: string;
        readonly region: string;
      }
    | undefined;
  /** Whether containers that still lie as files under the data directory are moved to the bucket. */
  readonly isMovingFiles: boolean;
};

/** A folder as it may stand in PostgreSQL's commands between quotes (db/wal-archive.ts). */
const ARCHIVE_PATH = /^\/[A-Za-z0-9_.,:@+/ -]+$/;

const isUrl = (text: string, protocols: readonly string[]): boolean =>
  URL.canParse(text) && protocols.includes(new URL(text).protocol);

/** A URL of one of these protocols, with their colons; `split` when one text may name several. */
export const url = (protocols: readonly string[], split: (text: string) => string[] = text => [text]) =>
  z
    .string()
    .refine(text => split(text).every(one => isUrl(one, protocols)), {
      message: `must be a URL that starts with ${protocols.map(p => `${p}//`).join(' or ')}`,
    })
    .optional();

/** Variables of the environment. */
export const storageEnvironment = {
  DATABASE_URL: url(['postgres:', 'postgresql:'], serverUrls),
  KEYFOLD_WAL_ARCHIVE: z
    .string()
    .regex(ARCHIVE_PATH, 'must be the whole path of a folder, of letters, digits, spaces and _.,:@+-')
    .optional(),
  S3_ENDPOINT: url(['http:', 'https:']),
  S3_BUCKET: z.string().optional(),
  S3_ACCESS_KEY: z.string().optional(),
  S3_SECRET_KEY: z.string().optional(),
  S3_REGION: z.string().default('us-east-1'),
  KEYFOLD_MOVE_FILES: z.enum(['true', 'false'], { message: 'must be true or false' }).default('false'),
} as const;

type Given = z.output<z.ZodObject<typeof storageEnvironment>>;

/** What is wrong with variables that need each other; null when nothing is. */
export function findStorageProblem(given: Given): string | null {
  const parts = [given.S3_ENDPOINT, given.S3_BUCKET, given.S3_ACCESS_KEY, given.S3_SECRET_KEY];
  const count = parts.filter(part => part !== undefined).length;
  if (count !== 0 && count !== parts.length)
    return 'S3_ENDPOINT: needs S3_BUCKET, S3_ACCESS_KEY and S3_SECRET_KEY beside it';
  if (given.KEYFOLD_MOVE_FILES === 'true' && count === 0)
    return 'KEYFOLD_MOVE_FILES: needs S3_ENDPOINT and what belongs to it';
  if (given.KEYFOLD_WAL_ARCHIVE !== undefined && given.DATABASE_URL !== undefined)
    return 'KEYFOLD_WAL_ARCHIVE: is for the embedded PostgreSQL; with DATABASE_URL use the tools of that one';
  return null;
}

/** What they say. */
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
