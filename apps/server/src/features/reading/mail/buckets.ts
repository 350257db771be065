/**
 * Translates a filter into flag groups ([Note: Buckets] in db/migrations/0001-foundation.ts): which
 * masks of the user, or of one of the user's tags, match, and how many messages they hold. Pure.
 */
import { type FlagFilter, matches } from '../../../base/flags.ts';

/**
 * Number of messages with one tag, or of all messages (`tagName` null), that have exactly this
 * mask.
 */
export type Bucket = {
  readonly tagId: string;
  readonly tagName: string | null;
  readonly flags: number;
  readonly total: number;
};

/** Index ranges to merge: the given masks of a tag, or of all messages. */
export type Ranges = {
  /** Null for all messages. */
  readonly tagId: string | null;
  readonly masks: readonly number[];
  /** Further tags, besides `tagId`, that a message must have. */
  readonly otherTagIds: readonly string[];
  readonly total: number;
};

/**
 * Returns the ranges for a filter by flags and tags, or null when no message can match. Of several
 * tags, the one with the fewest matching messages drives the query.
 */
export function planRanges(
  buckets: readonly Bucket[],
  flags: FlagFilter,
  tags: readonly string[],
): Ranges | null {
  const passing = buckets.filter(bucket => bucket.total > 0 && matches(bucket.flags, flags));
  const groups = (tags.length === 0 ? [null] : tags).map(name => {
    const found = passing.filter(bucket => bucket.tagName === name);
    return {
      tagId: found[0]?.tagId ?? null,
      masks: found.map(bucket => bucket.flags).sort((a, b) => a - b),
      total: found.reduce((sum, bucket) => sum + bucket.total, 0),
    };
  });
  const smallest = groups.reduce((best, group) => (group.total < best.total ? group : best));
  if (smallest.total === 0) return null;
  return {
    tagId: tags.length === 0 ? null : smallest.tagId,
    masks: smallest.masks,
    otherTagIds: groups.filter(group => group !== smallest).flatMap(group => group.tagId ?? []),
    total: smallest.total,
  };
}
