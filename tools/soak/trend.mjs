/**
 * What a row of measurements says of growth: the slope of the straight line through it, and how sure that is. Node gives
 * memory back when it likes, so single values jump by megabytes; a line through many of them does not.
 */

/** @typedef {[hours: number, value: number]} Point */

/** The 95 % quantile of the normal distribution, both sides. */
const SURE = 1.96;

/**
 * Slope by least squares of points [hours, value]: by an hour, with half the width of the interval that holds the true one
 * in 95 of 100 cases, were the points independent. Null with fewer than three points.
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
 * That slope of points which must have one; throws where they have none.
 * @param {readonly Point[]} points
 */
export function requireSlope(points) {
  const slope = slopeOf(points);
  if (slope === null) throw new Error(`${points.length} points have no slope`);
  return slope;
}

/**
 * Half the width of that interval when points that follow each other are alike, as memory's are: so many of them say as much as
 * count × (1 − r) / (1 + r) independent ones, r being the correlation of neighbours' distances from the line (Bartlett 1935). Never
 * less than `slopeOf` has it; NaN where that has none.
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
 * The least value of each stretch of so many points: what stays when what can be given back has been.
 * @param {readonly Point[]} points
 */
export function lowestOf(points, stretch) {
  /** @type {Point[]} */
  const lowest = [];
  for (let at = 0; at + stretch <= points.length; at += stretch)
    lowest.push(points.slice(at, at + stretch).toSorted((one, other) => one[1] - other[1])[0]);
  return lowest;
}
