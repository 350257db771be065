// Geometry of the arrivals chart, separate from its rendering: one column per day, with the flagged
// part at the bottom. Knows no colors and no texts.
import type { ArrivalDay } from '@keyfold/contract';

/** A column in chart units, measured from the top left corner. */
export type Column = {
  readonly date: string;
  readonly x: number;
  readonly width: number;
  /** Top and height of the flagged part. */
  readonly flagged: { readonly y: number; readonly height: number };
  /** The rest, on top of it. */
  readonly rest: { readonly y: number; readonly height: number };
};

/** Fraction of a day's width that its column fills. */
const COLUMN_SHARE = 0.72;

/**
 * Returns the top of the scale: the busiest day, rounded up to 1, 2 or 5 times a power of ten, so
 * that the top line has a round number.
 */
export function scaleTop(days: readonly ArrivalDay[]): number {
  const most = Math.max(1, ...days.map(day => day.received));
  const power = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 5, 10].map(step => step * power).find(step => step >= most) ?? most;
}

/** Returns the columns of the days, oldest first, for a chart of this size. */
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
