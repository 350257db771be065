// Recognizes time zone names that are not IDs: Outlook's display names ("(UTC+01:00) Amsterdam,
// Berlin, Bern"), Lotus names ("Eastern"), abbreviations. Looks up the cities among the machine's
// zone IDs, so a name in any language works if it contains one of them. A zone described in the
// file takes precedence.
import { withoutPiles } from '../invisible.ts';
import { WINDOWS_ZONES } from './windows-zones.ts';
import { findIanaZone, fixedZone, type Zone } from './zones.ts';

const fold = (text: string): string =>
  withoutPiles(text)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}+]+/gu, ' ')
    .trim();

const windowsZones = new Map(Object.entries(WINDOWS_ZONES).map(([name, id]) => [fold(name), id] as const));

/**
 * Abbreviations and plain words, case-folded. Where one means several zones, this is the zone that
 * most calendars mean.
 */
const WORDS: Readonly<Record<string, string>> = {
  ...{ cet: 'Europe/Berlin', cest: 'Europe/Berlin', mez: 'Europe/Berlin', mesz: 'Europe/Berlin' },
  ...{ wet: 'Europe/Lisbon', west: 'Europe/Lisbon', eet: 'Europe/Helsinki', eest: 'Europe/Helsinki' },
  ...{
    bst: 'Europe/London',
    msk: 'Europe/Moscow',
    ist: 'Asia/Kolkata',
    jst: 'Asia/Tokyo',
    kst: 'Asia/Seoul',
  },
  ...{ ast: 'America/Halifax', adt: 'America/Halifax', est: 'America/New_York', edt: 'America/New_York' },
  ...{ cst: 'America/Chicago', cdt: 'America/Chicago', mst: 'America/Denver', mdt: 'America/Denver' },
  ...{ pst: 'America/Los_Angeles', pdt: 'America/Los_Angeles', akst: 'America/Anchorage' },
  ...{
    akdt: 'America/Anchorage',
    hst: 'Pacific/Honolulu',
    aest: 'Australia/Sydney',
    aedt: 'Australia/Sydney',
  },
  ...{ acst: 'Australia/Adelaide', acdt: 'Australia/Adelaide', awst: 'Australia/Perth' },
  ...{ nzst: 'Pacific/Auckland', nzdt: 'Pacific/Auckland', sgt: 'Asia/Singapore', hkt: 'Asia/Hong_Kong' },
  ...{ 'mitteleuropaische zeit': 'Europe/Berlin', 'mitteleuropaische sommerzeit': 'Europe/Berlin' },
  ...{ 'westeuropaische zeit': 'Europe/Lisbon', 'osteuropaische zeit': 'Europe/Helsinki' },
  ...{ 'western european': 'Europe/Lisbon', 'eastern european': 'Europe/Helsinki', british: 'Europe/London' },
  ...{
    irish: 'Europe/Dublin',
    moscow: 'Europe/Moscow',
    japan: 'Asia/Tokyo',
    'greenwich mean': 'UTC',
    'coordinated universal': 'UTC',
  },
  ...{ 'west europa': 'Europe/Amsterdam', 'europe centrale': 'Europe/Paris' },
};

/** City names in other languages, and cities in Outlook's names that are not IDs, case-folded. */
const CITIES: Readonly<Record<string, string>> = {
  ...{ rom: 'Europe/Rome', roma: 'Europe/Rome', wien: 'Europe/Vienna', vienne: 'Europe/Vienna' },
  ...{ viena: 'Europe/Vienna', wenen: 'Europe/Vienna', berlijn: 'Europe/Berlin', berlino: 'Europe/Berlin' },
  ...{ bern: 'Europe/Zurich', berne: 'Europe/Zurich', berna: 'Europe/Zurich', estocolmo: 'Europe/Stockholm' },
  ...{ stoccolma: 'Europe/Stockholm', brussel: 'Europe/Brussels' },
  ...{ bruxelles: 'Europe/Brussels', brussels: 'Europe/Brussels', bruselas: 'Europe/Brussels' },
  ...{ kopenhagen: 'Europe/Copenhagen', copenhague: 'Europe/Copenhagen', kobenhavn: 'Europe/Copenhagen' },
  ...{ parigi: 'Europe/Paris', parijs: 'Europe/Paris', prag: 'Europe/Prague', praga: 'Europe/Prague' },
  ...{ warschau: 'Europe/Warsaw', varsovie: 'Europe/Warsaw', varsovia: 'Europe/Warsaw' },
  ...{ warszawa: 'Europe/Warsaw', belgrad: 'Europe/Belgrade', belgrado: 'Europe/Belgrade' },
  ...{ athen: 'Europe/Athens', athenes: 'Europe/Athens', atenas: 'Europe/Athens', atene: 'Europe/Athens' },
  ...{ bukarest: 'Europe/Bucharest', bucarest: 'Europe/Bucharest', kiew: 'Europe/Kiev', kyiv: 'Europe/Kiev' },
  ...{ moskau: 'Europe/Moscow', moscou: 'Europe/Moscow', moscu: 'Europe/Moscow', mosca: 'Europe/Moscow' },
  ...{
    lissabon: 'Europe/Lisbon',
    lisbonne: 'Europe/Lisbon',
    lisboa: 'Europe/Lisbon',
    londres: 'Europe/London',
  },
  ...{ londra: 'Europe/London', londen: 'Europe/London', edinburgh: 'Europe/London' },
  ...{ kairo: 'Africa/Cairo', 'le caire': 'Africa/Cairo', 'el cairo': 'Africa/Cairo' },
  ...{ jerusalen: 'Asia/Jerusalem', gerusalemme: 'Asia/Jerusalem', osaka: 'Asia/Tokyo', tokio: 'Asia/Tokyo' },
  ...{ beijing: 'Asia/Shanghai', peking: 'Asia/Shanghai', pekin: 'Asia/Shanghai', pechino: 'Asia/Shanghai' },
  ...{
    mumbai: 'Asia/Kolkata',
    chennai: 'Asia/Kolkata',
    'new delhi': 'Asia/Kolkata',
    'neu delhi': 'Asia/Kolkata',
  },
  ...{ 'abu dhabi': 'Asia/Dubai', islamabad: 'Asia/Karachi', hanoi: 'Asia/Bangkok', taipeh: 'Asia/Taipei' },
  ...{ seul: 'Asia/Seoul', singapur: 'Asia/Singapore', singapour: 'Asia/Singapore' },
  ...{ canberra: 'Australia/Sydney', wellington: 'Pacific/Auckland', brasilia: 'America/Sao_Paulo' },
  ...{ arizona: 'America/Phoenix', hawaii: 'Pacific/Honolulu', alaska: 'America/Anchorage' },
  ...{ 'mexiko stadt': 'America/Mexico_City', quito: 'America/Guayaquil', georgetown: 'America/Guyana' },
  ...{ newfoundland: 'America/St_Johns', neufundland: 'America/St_Johns', saskatchewan: 'America/Regina' },
  ...{ pretoria: 'Africa/Johannesburg', harare: 'Africa/Harare', 'st petersburg': 'Europe/Moscow' },
};

/** UTC offsets of Outlook's "… Time (US & Canada)", in any language. */
const NORTH_AMERICA: Readonly<Record<number, string>> = {
  [-210]: 'America/St_Johns',
  [-240]: 'America/Halifax',
  [-300]: 'America/New_York',
  [-360]: 'America/Chicago',
  [-420]: 'America/Denver',
  [-480]: 'America/Los_Angeles',
  [-540]: 'America/Anchorage',
};

/** Names are untrusted input and may include `constructor`. */
const ownOf = (table: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

let cities: ReadonlyMap<string, string> | undefined;

function findCity(name: string): string | undefined {
  cities ??= new Map(
    Intl.supportedValuesOf('timeZone').map(id => [fold(id.split('/').at(-1) ?? id), id] as const),
  );
  return ownOf(CITIES, name) ?? cities.get(name);
}

/**
 * Returns the smaller of the winter and summer offsets, in minutes: the standard time that such
 * names give.
 */
function standardMinutes(zone: Zone): number {
  const offsets = [0, 6].map(month => zone.offsetAt(Date.UTC(2025, month, 1)) / 60_000);
  return Math.min(...offsets);
}

/** Outlook's longest name has about 70 characters. */
const NAME_MAX_CHARACTERS = 300;
const DISPLAY = /^\(?\s*(?:UTC|GMT)\s*(?:([-+\u2212])\s*(\d{1,2})(?:[:.]?(\d\d))?)?\s*\)?[\s,:/-]*(.*)$/i;

function findByWords(text: string, fits: (zone: Zone) => boolean): Zone | null {
  const whole = fold(text.replace(/\([^)]*\)/g, ' '));
  const base = whole.replace(/ (?:(?:standard|daylight|summer) )?time$/, '');
  for (const id of [
    ownOf(WORDS, whole),
    windowsZones.get(`${base} standard time`),
    ownOf(WORDS, base),
    ...text
      .replace(/\([^)]*\)/g, ' ')
      .split(/[,;/&]| and | und | et | y | e | en /)
      .map(part => findCity(fold(part))),
  ]) {
    const zone = id === undefined ? null : findIanaZone(id);
    if (zone !== null && fits(zone)) return zone;
  }
  return null;
}

/**
 * Returns the zone that a display name refers to; null when it is not recognized. When the name
 * gives an offset but no place, returns the reader's own zone if it has this offset in winter,
 * because an offset alone says nothing about summer.
 */
export function findDisplayZone(tzid: string, own: Zone): Zone | null {
  const name = tzid
    .slice(0, NAME_MAX_CHARACTERS)
    .trim()
    .replace(/^["']+|["']+$/g, '')
    .replaceAll('\\', '');
  const found = DISPLAY.exec(name);
  if (found === null) return findByWords(name, () => true);
  const [, sign, hours, minutes, rest = ''] = found;
  const size = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  if (size > 14 * 60) return null;
  const offset = sign === undefined || sign === '+' ? size : -size;
  if (/canad|kanad/i.test(rest) && NORTH_AMERICA[offset] !== undefined)
    return findIanaZone(NORTH_AMERICA[offset]);
  const byWords = findByWords(rest, zone => standardMinutes(zone) === offset);
  if (byWords !== null) return byWords;
  return rest !== '' && standardMinutes(own) === offset ? own : fixedZone(name, offset);
}
