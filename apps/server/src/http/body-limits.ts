/**
 * How many bytes the body of a call may have. Bodies are read into memory, so the large ones are named one by one.
 */
import type { Call } from '@keyfold/contract';
import {
  ATTACHMENT_MAX_BYTES,
  BODY_B64_MAX_CHARACTERS,
  RECORD_B64_MAX_CHARACTERS,
} from '@keyfold/contract/limits';
import { PST_FILE_MAX_BYTES } from '../base/limits.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Every call that is not named below. */
const DEFAULT_BYTES = 256 * KIB;
/** Those that anybody may make: registering with a recovery kit is the longest, some 16 KB. */
const PUBLIC_BYTES = 32 * KIB;
/** What is no call takes no body at all. */
export const NO_CALL_BYTES = KIB;
/** The sealed body as base64, and 500 recipients at 2.5 KB each. */
const MESSAGE_BYTES = BODY_B64_MAX_CHARACTERS + 2 * MIB;

const BODY_LIMITS: Readonly<Record<string, number>> = {
  '/user/send_private': MESSAGE_BYTES,
  '/user/draft': MESSAGE_BYTES,
  // One message of the largest, or many small ones.
  '/user/seal_import': MESSAGE_BYTES,
  // An event holds the whole thing that it tells of.
  '/stripe/webhook': MIB,
  '/user/records': RECORD_B64_MAX_CHARACTERS + 64 * KIB,
};

const FILE_LIMITS: Readonly<Record<string, number>> = {
  '/user/import/pst': PST_FILE_MAX_BYTES,
};

/** Bytes of JSON that a call takes. */
export const bodyLimitOf = ({ path, access }: Pick<Call, 'path' | 'access'>): number =>
  BODY_LIMITS[path] ?? (access === 'public' ? PUBLIC_BYTES : DEFAULT_BYTES);

/** Bytes of the file that an upload takes. */
export const fileLimitOf = (path: string): number => FILE_LIMITS[path] ?? ATTACHMENT_MAX_BYTES;
