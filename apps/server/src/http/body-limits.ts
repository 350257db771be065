/**
 * Maximum body size of each endpoint, in bytes. Bodies are read into memory, so large limits are
 * listed one by one.
 */
import type { Call } from '@keyfold/contract';
import {
  ATTACHMENT_MAX_BYTES,
  BODY_B64_MAX_CHARACTERS,
  RECORD_B64_MAX_CHARACTERS,
} from '@keyfold/contract/limits';
import { PST_FILE_MAX_BYTES } from '../base/import-limits.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Limit of every endpoint not listed below. */
const DEFAULT_BYTES = 256 * KIB;
/** Limit of public endpoints: registering with a recovery kit is the longest, about 16 KB. */
const PUBLIC_BYTES = 32 * KIB;
/** Limit of requests that are not API calls; they take no body at all. */
export const NO_CALL_BYTES = KIB;
/** The sealed body as base64, plus 500 recipients at 2.5 KB each. */
const MESSAGE_BYTES = BODY_B64_MAX_CHARACTERS + 2 * MIB;

const BODY_LIMITS: Readonly<Record<string, number>> = {
  '/user/send_private': MESSAGE_BYTES,
  '/user/draft': MESSAGE_BYTES,
  // One message of maximum size, or many small ones.
  '/user/seal_import': MESSAGE_BYTES,
  // An event contains the complete object that it reports.
  '/stripe/webhook': MIB,
  '/user/records': RECORD_B64_MAX_CHARACTERS + 64 * KIB,
};

const FILE_LIMITS: Readonly<Record<string, number>> = {
  '/user/import/pst': PST_FILE_MAX_BYTES,
};

/** Returns the maximum size of an endpoint's JSON body, in bytes. */
export const bodyLimitOf = ({ path, access }: Pick<Call, 'path' | 'access'>): number =>
  BODY_LIMITS[path] ?? (access === 'public' ? PUBLIC_BYTES : DEFAULT_BYTES);

/** Returns the maximum size of an uploaded file, in bytes. */
export const fileLimitOf = (path: string): number => FILE_LIMITS[path] ?? ATTACHMENT_MAX_BYTES;
