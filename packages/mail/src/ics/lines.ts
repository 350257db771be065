// Content lines of a calendar file, unfolded, limited and parsed one by one with ical.js, so that
// an unreadable line is dropped and the rest of the invitation survives. Keeps the components that
// an invitation needs; does not interpret them.
import ICAL from 'ical.js';
import { ICS_MAX_BYTES, ICS_MAX_EVENTS, ICS_MAX_LINE_CHARACTERS, ICS_MAX_LINES } from '../limits.ts';
import { decodeUnlabeled } from '../mime/charsets.ts';
import { IcsError } from './error.ts';

/** One property: its name and parameters in lowercase, its values as ical.js decodes them. */
export type Property = {
  readonly name: string;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly type: string;
  readonly values: readonly unknown[];
};

export type Component = {
  readonly name: string;
  readonly properties: Property[];
  readonly children: Component[];
};

const KEPT_COMPONENTS = new Set(['vcalendar', 'vevent', 'vtimezone', 'standard', 'daylight']);
/** Maximum number of zones, and of their changes, read from one file. */
const MAX_ZONE_PARTS = 500;
const KEPT_PROPERTIES = new Set(
  (
    'method x-wr-timezone uid sequence dtstamp dtstart dtend duration summary location description url status ' +
    'organizer attendee rrule exrule rdate exdate recurrence-id comment tzid tzoffsetfrom tzoffsetto x-lic-location ' +
    'last-modified x-microsoft-cdo-alldayevent x-microsoft-msncalendar-alldayevent x-funambol-allday conference ' +
    'x-google-conference x-microsoft-skypeteamsmeetingurl x-microsoft-onlinemeetingconflink'
  ).split(' '),
);

function paramsOf(raw: unknown): Record<string, string | undefined> {
  const params: Record<string, string | undefined> = Object.create(null);
  for (const [key, value] of Object.entries(raw as Record<string, unknown>))
    params[key.toLowerCase()] = String(Array.isArray(value) ? value[0] : value);
  return params;
}

const TIMES = /^\d{8}(?:T\d{4,6}Z?)?(?:[,/][\dTZPWDHMS]+)*$/i;

/**
 * Quotes a time zone id: in `TZID=(UTC+01:00) Berlin:…` without quotes, the id would end at its
 * first colon. Times contain no colon, so the value starts after the last one.
 */
function mendZone(line: string): string {
  const end = line.lastIndexOf(':');
  if (line.length > 1000 || !TIMES.test(line.slice(end + 1))) return line;
  const params = line.slice(0, end).split(';');
  const at = params.findIndex(param => /^TZID=/i.test(param));
  const zone = params[at]?.slice('TZID='.length) ?? '';
  const isOpen = zone.includes(':') && !zone.includes('"');
  const areOthersWhole =
    params.slice(0, at).every(param => !param.includes(':')) &&
    params.slice(at + 1).every(param => /^[A-Z-]+=[^:"]*$/i.test(param));
  if (at < 1 || !isOpen || !areOthersWhole) return line;
  return `${params.with(at, `TZID="${zone}"`).join(';')}${line.slice(end)}`;
}

/** Returns the parts of a rule as written, for rules with a part that ical.js rejects. */
function looseRule(line: string): Record<string, unknown> {
  const parts = line
    .slice(line.indexOf(':') + 1)
    .toUpperCase()
    .split(';')
    .map(part => part.split('='))
    .filter(part => part.length === 2);
  return Object.fromEntries(
    parts.map(([key = '', value = '']) => [
      key.trim().toLowerCase(),
      value.includes(',') ? value.split(',') : value.trim(),
    ]),
  );
}

function readProperty(raw: string): Property | null {
  const name = /^[A-Za-z0-9-]+/.exec(raw)?.[0]?.toLowerCase();
  if (name === undefined || !KEPT_PROPERTIES.has(name)) return null;
  const isRule = name === 'rrule' || name === 'exrule';
  const line = isRule ? raw : mendZone(raw);
  try {
    const [, params, type, ...values] = ICAL.parse.property(line) as [string, unknown, string, ...unknown[]];
    return { name, params: paramsOf(params), type, values };
  } catch {
    return isRule ? { name, params: {}, type: 'recur', values: [looseRule(line)] } : null;
  }
}

/** Joins physical lines that were folded (RFC 5545 section 3.1); drops blank lines. */
function* unfold(text: string): Generator<string> {
  let line = '';
  let isCut = false;
  let count = 0;
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at);
    const stop = end < 0 ? text.length : end;
    const piece = text.slice(at, text[stop - 1] === '\r' && stop > at ? stop - 1 : stop);
    at = stop + 1;
    const isContinued = piece.startsWith(' ') || piece.startsWith('\t');
    if (isContinued) {
      isCut ||= line.length + piece.length > ICS_MAX_LINE_CHARACTERS;
      if (!isCut) line += piece.slice(1);
      continue;
    }
    if (line !== '') yield line;
    if (++count > ICS_MAX_LINES) return;
    line = piece.slice(0, ICS_MAX_LINE_CHARACTERS).trimEnd();
    isCut = false;
  }
  if (line !== '') yield line;
}

const COMPONENT_LINE = /^(BEGIN|END):\s*([A-Za-z0-9-]+)\s*$/i;

/** Returns the calendars of a file. Throws IcsError `not_calendar` when there is none. */
export function readCalendars(bytes: Uint8Array): Component[] {
  if (bytes.length > ICS_MAX_BYTES) throw new IcsError('not_calendar');
  // Classic Mac OS ends lines with a bare CR; a NUL is never part of a text.
  const text = decodeUnlabeled(bytes)
    .replace(/^\ufeff/, '')
    .replaceAll('\0', '')
    .trimStart();
  const calendars: Component[] = [];
  const open: Component[] = [];
  let skipped: string[] = [];
  let events = 0;
  let zoneParts = 0;
  for (const line of unfold(text.includes('\n') ? text : text.replaceAll('\r', '\n'))) {
    const border = COMPONENT_LINE.exec(line);
    if (border === null) {
      const top = open.at(-1);
      const property = top === undefined || skipped.length > 0 ? null : readProperty(line);
      if (property !== null) top?.properties.push(property);
      continue;
    }
    const name = (border[2] ?? '').toLowerCase();
    if (border[1]?.toUpperCase() === 'END') {
      if (skipped.length > 0) {
        const index = skipped.lastIndexOf(name);
        if (index >= 0) skipped = skipped.slice(0, index);
      } else {
        const index = open.findLastIndex(one => one.name === name);
        if (index >= 0) open.length = index;
      }
      continue;
    }
    const isKept =
      KEPT_COMPONENTS.has(name) &&
      skipped.length === 0 &&
      (name !== 'vevent' || ++events <= ICS_MAX_EVENTS) &&
      (name === 'vcalendar' || name === 'vevent' || ++zoneParts <= MAX_ZONE_PARTS) &&
      (open.length > 0 || name === 'vcalendar') &&
      open.length < 4;
    if (!isKept) {
      // No real file nests deeper, so further names are not recorded: no END could match them.
      if (skipped.length < 50) skipped.push(name);
      continue;
    }
    const component: Component = { name, properties: [], children: [] };
    (open.at(-1)?.children ?? calendars).push(component);
    open.push(component);
  }
  if (calendars.length === 0) throw new IcsError('not_calendar');
  return calendars;
}

export const findProperty = (component: Component, name: string): Property | undefined =>
  component.properties.find(property => property.name === name);

export const propertiesOf = (component: Component, name: string): Property[] =>
  component.properties.filter(property => property.name === name);

/** Returns the first value of a property as a text; null when it is missing or blank. */
export function findText(component: Component, name: string): string | null {
  const value = findProperty(component, name)?.values[0];
  const text = value === undefined || value === null ? '' : String(value);
  return text.trim() === '' ? null : text;
}
