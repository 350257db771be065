/**
 * Limits the bytes of messages in memory at once. There is no queue: a sender that does not fit is
 * asked to retry, because a waiting one would hold its own bytes all the while.
 */
export type ByteBudget = {
  /** Reserves bytes; returns false and reserves nothing when they do not fit. */
  readonly take: (sizeBytes: number) => boolean;
  readonly give: (sizeBytes: number) => void;
  readonly hasRoom: () => boolean;
};

export function createByteBudget(maxBytes: number): ByteBudget {
  let taken = 0;
  return {
    take: sizeBytes => {
      if (taken + sizeBytes > maxBytes) return false;
      taken += sizeBytes;
      return true;
    },
    give: sizeBytes => {
      taken -= sizeBytes;
    },
    hasRoom: () => taken < maxBytes,
  };
}
