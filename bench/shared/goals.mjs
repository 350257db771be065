/**
 * Whether the ratio of a result keeps its goal, for lines that say `met`. A result that was measured with less than the goal names,
 * or whose peer could not be had, leaves it open: `met` is null then, and `not_measured` says why.
 */

const ratioOf = ({ ours, peer }) => (peer === 0 || peer === null || ours === null ? null : ours / peer);

/** The result with `met`. What was not measured is told of a miss too, which it cannot mend. */
function judge(result, isMissed, missing) {
  const open = missing.length === 0 ? true : null;
  return {
    ...result,
    met: isMissed ? false : open,
    ...(missing.length === 0 ? {} : { not_measured: missing }),
  };
}

/** Judges ours over peer by `holds`; without either there is no figure. `shortOf` names what of the goal was not measured. */
function judgeRatio(result, holds, shortOf) {
  const ratio = ratioOf(result);
  return ratio === null
    ? judge(result, false, ['no figure', ...shortOf])
    : judge(result, !holds(ratio), shortOf);
}

/** The goal is a ratio of at most `limit`. */
export const atMost = (limit, result, shortOf = []) => judgeRatio(result, ratio => ratio <= limit, shortOf);

/** The goal is a ratio below `limit`. */
export const below = (limit, result, shortOf = []) => judgeRatio(result, ratio => ratio < limit, shortOf);

/** The goal is a ratio of at least `limit`. */
export const atLeast = (limit, result, shortOf = []) => judgeRatio(result, ratio => ratio >= limit, shortOf);

/** The goal is that nothing is counted. */
export const none = (result, shortOf = []) => judge(result, result.ours > 0, shortOf);

/** A line of what could not be compared: `ours`, where it was measured, and why there is no peer. */
export const withoutPeer = (result, reason) => ({
  ...result,
  ours: result.ours ?? null,
  peer: null,
  met: null,
  not_measured: [reason],
});
