/**
 * How many uploads of one user a process takes in at one time. Each is a connection, a file that is being written and maybe
 * one that was put aside, for as long as its sender likes to take: a few users could otherwise hold all of them.
 */
import { AppError } from '@keyfold/contract/errors';

/** Several letters that take files at once, in several tabs; a client of ours has four for each letter. */
export const UPLOADS_MAX = 16;
const RETRY_AFTER_SECONDS = 5;

export type UploadPlaces = {
  /** Takes a place for a user, or for an address where nobody is signed in. Throws rate_limited when all are taken. */
  readonly take: (who: string) => () => void;
};

export function createUploadPlaces(): UploadPlaces {
  const taken = new Map<string, number>();
  return {
    take: who => {
      const count = (taken.get(who) ?? 0) + 1;
      if (count > UPLOADS_MAX) throw new AppError('rate_limited', { retryAfterSeconds: RETRY_AFTER_SECONDS });
      taken.set(who, count);
      return () => {
        const left = (taken.get(who) ?? 0) - 1;
        if (left > 0) taken.set(who, left);
        else taken.delete(who);
      };
    },
  };
}
