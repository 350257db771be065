/**
 * Lines of changes in an archive. A database that was brought back to a moment goes on from there on a line of its own, which
 * PostgreSQL numbers and describes in a history file. That has to be in the archive as well: without it a second restore
 * would give its line the same number, and the two could not be told apart.
 *
 * A moment may lie on a line that was left and be jumped over by the next. Beside each history stands when its line began, so
 * that a restore follows the line that the service was on at that moment. Both are marked as all of the archive is.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { findArchived, writeWhole } from './archive-files.ts';
import { type ArchiveMarks, markOf, pack, requireMark } from './archive-marks.ts';

const HISTORY = /^([0-9A-F]{8})\.history$/;
const BEGUN = /^([0-9A-F]{8})\.begun$/;

type Line = { readonly number: number; readonly begunAt: number };

/** The lines that an archive's folder knows of beside the first. Throws ArchiveRefused. */
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
 * The line to follow to a moment, in the words of recovery_target_timeline: the newest that had begun by then; without one that
 * of the base backup. Null as the moment means the end of all. Throws ArchiveRefused.
 */
export function findTimeline(folder: string, until: Date | null, marks: ArchiveMarks): string {
  if (until === null) return 'latest';
  const begun = readLines(folder, marks).filter(({ begunAt }) => begunAt <= until.getTime());
  return begun.length === 0 ? 'current' : String(Math.max(...begun.map(({ number }) => number)));
}

/** Puts the histories of a database that has just begun a line of its own into an archive's folder, where they are not there yet. */
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
