/**
 * The Mann-Whitney U test of two samples: the probability that they differ this much when both come
 * from one distribution. Uses the normal approximation with tie correction (samples of twenty and
 * more).
 */

/**
 * Returns the ranks of all values, with the mean rank for equal ones, and the sum over ties of t^3
 * - t.
 */
function rank(values) {
  const order = values.map((value, index) => ({ value, index })).sort((a, b) => a.value - b.value);
  const ranks = new Array(values.length);
  let ties = 0;
  for (let first = 0; first < order.length; ) {
    let last = first;
    while (last + 1 < order.length && order[last + 1].value === order[first].value) last++;
    const count = last - first + 1;
    ties += count ** 3 - count;
    for (let at = first; at <= last; at++) ranks[order[at].index] = (first + last) / 2 + 1;
    first = last + 1;
  }
  return { ranks, ties };
}

/**
 * Returns the share of a standard normal distribution above z >= 0 (Abramowitz and Stegun 7.1.26;
 * within 1.5e-7).
 */
function above(z) {
  const x = z / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const series = [1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592];
  return (series.reduce((sum, factor) => (sum + factor) * t, 0) * Math.exp(-x * x)) / 2;
}

/** Returns the two-sided p of two samples; 1 when all values are equal. */
export function mannWhitneyP(first, second) {
  const [n, m] = [first.length, second.length];
  const { ranks, ties } = rank([...first, ...second]);
  const rankSum = ranks.slice(0, n).reduce((sum, one) => sum + one, 0);
  const u = rankSum - (n * (n + 1)) / 2;
  const all = n + m;
  const variance = ((n * m) / 12) * (all + 1 - ties / (all * (all - 1)));
  if (variance === 0) return 1;
  // Continuity correction of half a rank, because the statistic is discrete.
  const z = Math.max(0, Math.abs(u - (n * m) / 2) - 0.5) / Math.sqrt(variance);
  return Math.min(1, 2 * above(z));
}

export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}
