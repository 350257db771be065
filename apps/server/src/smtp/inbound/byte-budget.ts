/**
 * How many bytes of mail may be in memory at once. Nobody waits here: a sender for whom there is no room is told to come
 * back, because a waiting one would hold its own bytes all the while.
 */
export type ByteBudget = {
  /** Takes bytes; false, and nothing taken, when there is no room. */
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
