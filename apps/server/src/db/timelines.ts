/**
 * Timelines in a WAL archive. A database restored to a point in time continues on a new timeline,
 * which PostgreSQL numbers and describes in a history file. The archive must contain that file too:
 * without it, a second restore would assign the same number, and the two timelines would be
 * indistinguishable.
 *
 * The requested time can be on a timeline that was abandoned and that the next one does not
 * include. Each history is therefore stored with the time its timeline began, so that a restore
 * follows the timeline that the service was on at the requested time. Both carry a MAC like every
 * file of the archive.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { findArchived, writeWhole } from './archive-files.ts';
import { type ArchiveMarks, markOf, pack, requireMark } from './archive-marks.ts';

const HISTORY = /^([0-9A-F]{8})\.history$/;
const BEGUN = /^([0-9A-F]{8})\.begun$/;

type Line = { readonly number: number; readonly begunAt: number };

/** Returns the timelines recorded in an archive folder, except the first. Throws ArchiveRefused. */
const readLines = (folder: string, marks: ArchiveMarks): readonly Line[] =>
  readdirSync(folder).flatMap(name => {
    const [, number] = BEGUN.exec(name) ?? [];
    const content = number === undefined ? null : findArchived(path.join(folder, name));
    if (number === undefined || content === null) return [];
    const [begun = '', mark = ''] = content.toString().split('\n');
    requireMark(marks, name, Buffer.from(begun), mark === '' ? null : mark);
    const begunAt = Date.parse(begun);
    return Number.isNaN(begunAt) ? [] : [{ number: Number.parseInt(number, 16), begunAt }];
  });

/**
 * Returns the timeline to follow up to a time, as a value for recovery_target_timeline: the newest
 * that had begun by then, or that of the base backup if there is none. Null means the end of the
 * archive. Throws ArchiveRefused.
 */
export function findTimeline(folder: string, until: Date | null, marks: ArchiveMarks): string {
  if (until === null) return 'latest';
  const begun = readLines(folder, marks).filter(({ begunAt }) => begunAt <= until.getTime());
  return begun.length === 0 ? 'current' : String(Math.max(...begun.map(({ number }) => number)));
}

/**
 * Copies the history files of a database that has just begun a new timeline to an archive folder,
 * unless they are already there.
 */
export function archiveHistories(dataDir: string, folder: string, now: Date, marks: ArchiveMarks): void {
  const there = new Set(readdirSync(folder));
  for (const name of readdirSync(path.join(dataDir, 'pg_wal'))) {
    const [, number] = HISTORY.exec(name) ?? [];
    if (number === undefined || there.has(`${name}.gz`)) continue;
    const begun = now.toISOString();
    const mark = markOf(marks, `${number}.begun`, Buffer.from(begun));
    writeWhole(path.join(folder, `${number}.begun`), `${begun}\n${mark === null ? '' : `${mark}\n`}`);
    const history = readFileSync(path.join(dataDir, 'pg_wal', name));
    writeWhole(path.join(folder, `${name}.gz`), pack(marks, name, history));
  }
}
