/**
 * Decides whether the ratio of a result meets its goal, for lines with `met`. A result that was
 * measured with less than the goal names, or whose peer is unavailable, stays open: `met` is then
 * null, and `not_measured` says why.
 */

const ratioOf = ({ ours, peer }) => (peer === 0 || peer === null || ours === null ? null : ours / peer);

/**
 * Returns the result with `met`. A miss also lists what was not measured, although that cannot
 * change the verdict.
 */
function judge(result, isMissed, missing) {
  const open = missing.length === 0 ? true : null;
  return {
    ...result,
    met: isMissed ? false : open,
    ...(missing.length === 0 ? {} : { not_measured: missing }),
  };
}

/**
 * Judges the ratio of ours to peer by `holds`; without either there is no figure. `shortOf` names
 * the parts of the goal that were not measured.
 */
function judgeRatio(result, holds, shortOf) {
  const ratio = ratioOf(result);
  return ratio === null
    ? judge(result, false, ['not measured', ...shortOf])
    : judge(result, !holds(ratio), shortOf);
}

/** The goal is a ratio of at most `limit`. */
export const atMost = (limit, result, shortOf = []) => judgeRatio(result, ratio => ratio <= limit, shortOf);

/** The goal is a ratio below `limit`. */
export const below = (limit, result, shortOf = []) => judgeRatio(result, ratio => ratio < limit, shortOf);

/** The goal is a ratio of at least `limit`. */
export const atLeast = (limit, result, shortOf = []) => judgeRatio(result, ratio => ratio >= limit, shortOf);

/** The goal is a count of zero. */
export const none = (result, shortOf = []) => judge(result, result.ours > 0, shortOf);

/**
 * Returns the line of a result without comparison: `ours`, if measured, and why there is no peer.
 */
export const withoutPeer = (result, reason) => ({
  ...result,
  ours: result.ours ?? null,
  peer: null,
  met: null,
  not_measured: [reason],
});
