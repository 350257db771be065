/**
 * The flags bitmask of a message: one bit per flag of docs/spec-map.md 3, plus whether it has
 * attachments and whether it came from or went to an external address. See [Note: Buckets] in
 * db/migrations/0001-foundation.ts.
 */

export const FLAG_BITS = {
  read: 1,
  starred: 2,
  archived: 4,
  deleted: 8,
  draft: 16,
  flagged: 32,
  sent: 64,
  attachment: 128,
  public: 256,
  snoozed: 512,
  scheduled: 1024,
} as const;

export type Flag = keyof typeof FLAG_BITS;
export type FlagFilter = { readonly [F in Flag]?: boolean | undefined };

/** Returns the mask with exactly these flags set. */
export const toMask = (flags: FlagFilter): number =>
  Object.entries(FLAG_BITS).reduce((mask, [name, bit]) => (flags[name as Flag] ? mask | bit : mask), 0);

export const hasFlag = (mask: number, flag: Flag): boolean => (mask & FLAG_BITS[flag]) !== 0;

export const withFlag = (mask: number, flag: Flag, value: boolean): number =>
  value ? mask | FLAG_BITS[flag] : mask & ~FLAG_BITS[flag];

/** Returns whether a mask passes a filter; a flag that the filter omits matches any value. */
export const matches = (mask: number, filter: FlagFilter): boolean =>
  Object.entries(FLAG_BITS).every(([name, bit]) => {
    const wanted = filter[name as Flag];
    return wanted === undefined || wanted === ((mask & bit) !== 0);
  });

/**
 * Messages with any of these flags trigger no notification: the user wrote them, or a filter, a
 * rule or the user has already handled them (docs/interpretations.md#60 and #85). A snoozed message
 * triggers one when it returns.
 */
export const NO_NEWS_BITS = toMask({
  sent: true,
  draft: true,
  flagged: true,
  deleted: true,
  archived: true,
  read: true,
  snoozed: true,
});
