// Limits how many files of a draft are sealed and uploaded at the same time and queues the others
// in order. Otherwise thirty pictures dropped together would all be read at once, and the server
// limits concurrent uploads per user.
import pLimit, { type LimitFunction } from 'p-limit';

/** Maximum concurrent uploads per draft. The server accepts four times as many per user. */
export const UPLOADS_AT_ONCE = 4;

/** Runs tasks within the limit; a failed task releases its slot like a successful one. */
export const createUploadLimiter = (): LimitFunction => pLimit(UPLOADS_AT_ONCE);
