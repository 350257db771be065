// Lets only a few files of a letter be sealed and sent at one time, the others in their order: thirty pictures dropped at
// once would otherwise be read all together, and the server takes so many uploads of one person and no more.
import pLimit, { type LimitFunction } from 'p-limit';

/** Files of one letter under way at one time. The server takes four times as many of one person. */
export const UPLOADS_AT_ONCE = 4;

/** Runs work when there is room; what fails makes room like what ends well. */
export const createUploadLimiter = (): LimitFunction => pLimit(UPLOADS_AT_ONCE);
