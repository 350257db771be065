// Days as the reader counts them: by the clocks of the zone that was chosen, else of this device (lib/time-zone.ts).
import type { Calendar } from '@keyfold/search/dates';
import { toWall } from '../../lib/time-zone.ts';
import { fromWall } from '../../lib/wall-time.ts';

/** The reader's calendar at a moment. */
export function readerCalendar(now: Date): Calendar {
  const wall = toWall(now);
  return {
    today: [wall.getUTCFullYear(), wall.getUTCMonth() + 1, wall.getUTCDate()],
    dayStart: (year, month, day) => fromWall(new Date(Date.UTC(year, month - 1, day))).getTime(),
  };
}
