/**
 * Why a delivery failed, as far as the sender has to know: come back later, or not at all.
 */
import { AppError } from '@keyfold/contract/errors';
import { BlobStoreFull, BlobStoreUnavailable } from '../../../adapters/blobs.ts';
import { isUnreachable } from '../../../db/pool.ts';

type FailureKind = 'mailbox_full' | 'no_space' | 'unavailable' | 'failed';

/** System and PostgreSQL codes that mean a full disk, or a limit on what may be written. */
const NO_SPACE = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', '53000', '53100', '53200', '53400']);

/** What kind of failure an error of a recipient desk or of Ingest.take is. Every kind but mailbox_full passes. */
export function kindOfFailure(error: unknown): FailureKind {
  if (error instanceof AppError && error.code === 'quota_exceeded') return 'mailbox_full';
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as { code?: unknown };
    if (cause instanceof BlobStoreFull || (typeof code === 'string' && NO_SPACE.has(code))) return 'no_space';
    if (cause instanceof BlobStoreUnavailable || isUnreachable(cause)) return 'unavailable';
  }
  return 'failed';
}
