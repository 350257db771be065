// When a meter warns. docs/spec-map.md 9.16: danger at 90 % and above, warning at 75 % and above, else primary.

const warningFromPercent = 75;
const dangerFromPercent = 90;

/** The tone of a bar that is `percent` full. */
export function meterTone(percent: number): 'primary' | 'warning' | 'danger' {
  if (percent >= dangerFromPercent) return 'danger';
  return percent >= warningFromPercent ? 'warning' : 'primary';
}
