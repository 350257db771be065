// Every calendar file of the shared corpora is read, or rejected with one of the three texts, in
// bounded time. If a corpus states the content of a file, the result must match. Skipped when the
// corpora are not next to the repository.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { corpusPath, hasCorpora, NO_CORPORA } from '../../test-support/corpora.ts';
import { parseMessage } from '../mime/parse.ts';
import { ICS_ERROR_TEXTS, IcsError } from './error.ts';
import { findCalendarFiles } from './find.ts';
import { type Invitation, readInvitation } from './invitation.ts';

const options = { now: new Date('2026-03-01T12:00:00Z'), zone: 'Europe/Berlin' };
/** Generous: the machine may be busy with other tests. */
const FILE_MAX_MS = 30_000;

const files = (): string[] =>
  readdirSync(corpusPath('ical'), { recursive: true, encoding: 'utf8' })
    .map(path => join(corpusPath('ical'), path))
    .filter(path => statSync(path).isFile() && !path.endsWith('.json'));

function read(path: string): Invitation | IcsError {
  try {
    return readInvitation(new Uint8Array(readFileSync(path)), options);
  } catch (error) {
    if (error instanceof IcsError) return error;
    throw error;
  }
}

describe.skipIf(!hasCorpora)(`the calendar corpora${hasCorpora ? '' : ` (skipped: ${NO_CORPORA})`}`, () => {
  test('are read, or refused with the right error, in bounded time', () => {
    let shown = 0;
    for (const path of files()) {
      const start = performance.now();
      const result = read(path);
      expect(performance.now() - start, path).toBeLessThan(FILE_MAX_MS);
      if (result instanceof IcsError) {
        expect(Object.values(ICS_ERROR_TEXTS), path).toContain(result.message);
        const text = readFileSync(path, 'latin1');
        if (result.code === 'not_calendar') expect(text, path).not.toMatch(/^\s*BEGIN:VCALENDAR\s*$/im);
        if (result.code === 'no_event')
          expect(text, path).not.toMatch(
            /^BEGIN:VEVENT\s[\s\S]*^DTSTART[:;]\d{8}T\d{6}Z?\s[\s\S]*^END:VEVENT\s[\s\S]*^END:VCALENDAR/im,
          );
      } else {
        shown++;
        expect(Number.isNaN(Date.parse(result.start.instant)), path).toBe(false);
        expect(Date.parse(result.end.instant), path).toBeGreaterThanOrEqual(Date.parse(result.start.instant));
      }
    }
    expect(shown).toBeGreaterThan(140);
  });

  test('start at their expected times', () => {
    const folder = corpusPath('ical/calcard');
    let compared = 0;
    const differing: string[] = [];
    for (const name of readdirSync(folder).filter(one => one.endsWith('.ics'))) {
      const expected = join(folder, name.replace('.ics', '.json'));
      if (!existsSync(expected)) continue;
      // Some of these contain several values in sequence; only the starts matter here.
      const starts = [...readFileSync(expected, 'utf8').matchAll(/"start": "([^"]+)"/g)].map(found =>
        Date.parse(found[1] ?? ''),
      );
      const result = read(join(folder, name));
      if (
        result instanceof IcsError ||
        result.repetition !== null ||
        result.start.zone === null ||
        starts.length === 0
      )
        continue;
      compared++;
      // The corpus states instants; ours must be among those of the file's events.
      if (!starts.includes(Date.parse(result.start.instant)))
        differing.push(`${name} ${result.start.instant}`);
    }
    expect(compared).toBeGreaterThan(20);
    expect(differing).toEqual([]);
  });

  test('have the UID, title and start of their jCal files', () => {
    const folder = corpusPath('ical/ical.js/parser');
    type JCal = [string, [string, object, string, unknown][], JCal[]];
    let compared = 0;
    for (const name of readdirSync(folder).filter(one => one.endsWith('.json'))) {
      const ics = join(folder, name.replace('.json', '.ics'));
      if (!existsSync(ics)) continue;
      const [, , children] = JSON.parse(readFileSync(join(folder, name), 'utf8')) as JCal;
      const event = Array.isArray(children) ? children.find(([kind]) => kind === 'vevent') : undefined;
      const result = read(ics);
      if (event === undefined || result instanceof IcsError) continue;
      const value = (key: string) => event[1].find(([kind]) => kind === key)?.[3];
      compared++;
      if (value('uid') !== undefined) expect(result.uid, name).toBe(String(value('uid')).trim());
      if (value('summary') !== undefined)
        expect(result.summary, name).toBe(String(value('summary')).replace(/\s+/g, ' ').trim());
      if (value('dtstart') !== undefined)
        expect(String(value('dtstart')).replace('Z', ''), name).toContain(result.start.local);
    }
    expect(compared).toBeGreaterThan(0);
  });

  test('are found inside messages', async () => {
    const folder = corpusPath('ical/thunderbird-invitations');
    const found: Record<string, string> = {};
    for (const name of readdirSync(folder)) {
      const { attachments } = await parseMessage(new Uint8Array(readFileSync(join(folder, name))));
      const index = findCalendarFiles(attachments)[0];
      const file = index === undefined ? undefined : attachments[index];
      found[name] =
        file === undefined
          ? 'none'
          : readInvitation(file.content, { ...options, method: file.method }).method;
    }
    expect(found).toMatchObject({
      'single-event.eml': 'REQUEST',
      'cancel-single-event.eml': 'CANCEL',
      'update-major.eml': 'REQUEST',
    });
  });
});
