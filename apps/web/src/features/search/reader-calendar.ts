// Calendar days in the time zone that the user chose, else in the zone of this device
// (lib/time-zone.ts).
import type { Calendar } from '@keyfold/search/dates';
import { toWall } from '../../lib/time-zone.ts';
import { fromWall } from '../../lib/wall-time.ts';

/** Returns the user's calendar at a given time. */
export function readerCalendar(now: Date): Calendar {
  const wall = toWall(now);
  return {
    today: [wall.getUTCFullYear(), wall.getUTCMonth() + 1, wall.getUTCDate()],
    dayStart: (year, month, day) => fromWall(new Date(Date.UTC(year, month - 1, day))).getTime(),
  };
}
