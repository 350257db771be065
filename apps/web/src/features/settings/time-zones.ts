// The available time zones, searchable by place, by name and by the zone's common name in the
// user's language. Pure.
import { formatLocale } from '../../lib/language.ts';
import { isZone } from '../../lib/time-zone.ts';

export type ZoneEntry = {
  /** IANA id. */
  readonly zone: string;
  /** Place name, such as "New York". */
  readonly place: string;
  /** Common name, such as "Eastern Time". */
  readonly name: string;
};

const MOST = 8;

/**
 * Browsers list some zones under outdated names, which Unicode CLDR keeps; users search for the
 * current ones.
 */
const namesOfToday: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Louisville': 'America/Kentucky/Louisville',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

/** Returns the current name of a zone if this browser knows it. */
function nameOfToday(zone: string): string {
  const name = namesOfToday[zone];
  return name !== undefined && isZone(name) ? name : zone;
}

const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase();

const nameOf = (zone: string): string =>
  new Intl.DateTimeFormat(formatLocale(), { timeZone: zone, timeZoneName: 'longGeneric' })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')?.value ?? '';

/** Returns the place of a zone, such as "New York" for `America/New_York`. */
export const placeOf = (zone: string): string => zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ');

/** Returns every zone that this browser knows. Takes a few milliseconds. */
export const allZones = (): readonly ZoneEntry[] =>
  [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone').map(nameOfToday)])].map(zone => ({
    zone,
    place: placeOf(zone),
    name: nameOf(zone),
  }));

/** Returns the zones that match the typed text, those whose place begins with it first. */
export function findZones(all: readonly ZoneEntry[], typed: string): readonly ZoneEntry[] {
  const words = fold(typed)
    .split(/[\s/_]+/)
    .filter(word => word !== '');
  if (words.length === 0) return [];
  const found = all.filter(({ zone, name }) => {
    const text = fold(`${zone.replaceAll('_', ' ')} ${name}`);
    return words.every(word => text.includes(word));
  });
  const isFirst = ({ place }: ZoneEntry): boolean => fold(place).startsWith(words[0] ?? '');
  return [...found.filter(isFirst), ...found.filter(entry => !isFirst(entry))].slice(0, MOST);
}
