// The geometry of the chart of arrivals, apart from its drawing: one column a day, the flagged part standing at the bottom.
// Knows no colour and no word.
import type { ArrivalDay } from '@keyfold/contract';

/** A column in the units of the chart, from the top left corner. */
export type Column = {
  readonly date: string;
  readonly x: number;
  readonly width: number;
  /** Where the flagged part begins, and its height. */
  readonly flagged: { readonly y: number; readonly height: number };
  /** The rest, on top of it. */
  readonly rest: { readonly y: number; readonly height: number };
};

/** Share of a day's place that its column takes. */
const COLUMN_SHARE = 0.72;

/** The top of the scale: the busiest day, rounded up to 1, 2 or 5 and zeros, so that the line above has a round number. */
export function scaleTop(days: readonly ArrivalDay[]): number {
  const most = Math.max(1, ...days.map(day => day.received));
  const power = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 5, 10].map(step => step * power).find(step => step >= most) ?? most;
}

/** The columns of the days, oldest first, in a chart of this size. */
export function columnsOf(days: readonly ArrivalDay[], width: number, height: number): Column[] {
  const top = scaleTop(days);
  const place = width / Math.max(1, days.length);
  return days.map(({ date, received, flagged }, index) => {
    const whole = (received / top) * height;
    const part = (Math.min(flagged, received) / top) * height;
    return {
      date,
      x: index * place + (place * (1 - COLUMN_SHARE)) / 2,
      width: place * COLUMN_SHARE,
      flagged: { y: height - part, height: part },
      rest: { y: height - whole, height: whole - part },
    };
  });
}
