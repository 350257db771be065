/**
 * Limits how many uploads of one user a process accepts at a time. Each occupies a connection, a
 * file being written and possibly a spooled one, for as long as the client takes: a few users could
 * otherwise occupy all of them.
 */
import { AppError } from '@keyfold/contract/errors';

/**
 * Allows several drafts with concurrent uploads in several tabs; our client runs four per draft.
 */
export const UPLOADS_MAX = 16;
const RETRY_AFTER_SECONDS = 5;

export type UploadPlaces = {
  /**
   * Takes a place for a user, or for an address when no user is signed in. Throws rate_limited when
   * all are taken.
   */
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
