// Thresholds of a meter. docs/spec-map.md 9.16: danger at 90 % and above, warning at 75 % and
// above, else primary.

const WARNING_FROM_PERCENT = 75;
const DANGER_FROM_PERCENT = 90;

/** Returns the tone of a bar that is `percent` full. */
export function meterTone(percent: number): 'primary' | 'warning' | 'danger' {
  if (percent >= DANGER_FROM_PERCENT) return 'danger';
  return percent >= WARNING_FROM_PERCENT ? 'warning' : 'primary';
}
