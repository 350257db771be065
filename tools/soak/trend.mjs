/**
 * Estimates growth from a series of measurements: the slope of a straight line through it, and the
 * confidence. Node releases memory at its own pace, so single values jump by megabytes; a line
 * through many of them does not.
 */

/** @typedef {[hours: number, value: number]} Point */

/** The two-sided 95 % quantile of the normal distribution. */
const SURE = 1.96;

/**
 * Returns the least-squares slope of points [hours, value] per hour, with half the width of the 95
 * % confidence interval, assuming independent points. Null with fewer than three points.
 * @param {readonly Point[]} points
 */
export function slopeOf(points) {
  const count = points.length;
  if (count < 3) return null;
  const mean = index => points.reduce((sum, point) => sum + point[index], 0) / count;
  const [meanX, meanY] = [mean(0), mean(1)];
  const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  if (spread === 0) return null;
  const slope = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread;
  const rest = points.reduce((sum, [x, y]) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0);
  return { slope, plusMinus: SURE * Math.sqrt(rest / (count - 2) / spread) };
}

/**
 * Returns the slope of points that must have one; throws if they have none.
 * @param {readonly Point[]} points
 */
export function requireSlope(points) {
  const slope = slopeOf(points);
  if (slope === null) throw new Error(`cannot fit a slope to ${points.length} points`);
  return slope;
}

/**
 * Returns half the width of that interval for autocorrelated points, as memory samples are. They
 * carry as much information as count × (1 − r) / (1 + r) independent ones, where r is the
 * correlation of neighboring residuals (Bartlett 1935). Never less than the value of `slopeOf`; NaN
 * where that has none.
 * @param {readonly Point[]} points
 */
export function dependentPlusMinus(points) {
  const line = slopeOf(points);
  if (line === null) return Number.NaN;
  const mean = index => points.reduce((sum, point) => sum + point[index], 0) / points.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const rests = points.map(([x, y]) => y - meanY - line.slope * (x - meanX));
  const squares = rests.reduce((sum, rest) => sum + rest ** 2, 0);
  if (squares === 0) return line.plusMinus;
  const neighbors = rests.slice(1).reduce((sum, rest, at) => sum + rest * rests[at], 0);
  const alike = Math.min(0.99, Math.max(0, neighbors / squares));
  return line.plusMinus * Math.sqrt((1 + alike) / (1 - alike));
}

/**
 * Returns the lowest value of each stretch of `stretch` points: what remains after everything
 * reclaimable has been released.
 * @param {readonly Point[]} points
 */
export function lowestOf(points, stretch) {
  /** @type {Point[]} */
  const lowest = [];
  for (let at = 0; at + stretch <= points.length; at += stretch)
    lowest.push(points.slice(at, at + stretch).toSorted((one, other) => one[1] - other[1])[0]);
  return lowest;
}
