/** Classifies delivery failures as far as the sender needs to know: temporary or permanent. */
import { AppError } from '@keyfold/contract/errors';
import { BlobStoreFull, BlobStoreUnavailable } from '../../../adapters/blobs.ts';
import { isUnreachable } from '../../../db/pool.ts';

type FailureKind = 'mailbox_full' | 'no_space' | 'unavailable' | 'failed';

/** System and PostgreSQL codes for a full disk or a resource limit on writing. */
const NO_SPACE = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', '53000', '53100', '53200', '53400']);

/**
 * Returns the kind of an error thrown by a recipient resolver or by Ingest.take. Every kind except
 * mailbox_full is temporary.
 */
export function kindOfFailure(error: unknown): FailureKind {
  if (error instanceof AppError && error.code === 'quota_exceeded') return 'mailbox_full';
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as { code?: unknown };
    if (cause instanceof BlobStoreFull || (typeof code === 'string' && NO_SPACE.has(code))) return 'no_space';
    if (cause instanceof BlobStoreUnavailable || isUnreachable(cause)) return 'unavailable';
  }
  return 'failed';
}
