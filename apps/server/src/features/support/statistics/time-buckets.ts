/**
 * Times as the counters keep them, in UTC: whole numbers that grow (db/migrations/0034-statistics.ts,
 * docs/interpretations.md#89).
 */
const HOUR_MS = 3_600_000;
const MONTHS = 12;

/** Hours since 1970. */
export const hourOf = (at: Date): number => Math.floor(at.getTime() / HOUR_MS);

/** Days since 1970. */
export const dayOf = (at: Date): number => Math.floor(at.getTime() / (24 * HOUR_MS));

/** When the day after a day begins. */
export const endOfDay = (day: number): Date => new Date((day + 1) * 24 * HOUR_MS);

/** Months since the year 0. */
export const monthOf = (at: Date): number => at.getUTCFullYear() * MONTHS + at.getUTCMonth();

/** The first day of a time's month, in days since 1970. */
export const firstDayOf = (at: Date): number =>
  dayOf(new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1)));
