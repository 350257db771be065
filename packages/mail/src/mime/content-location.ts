// Resolves pictures that HTML references by original location (RFC 2557): a part has a
// Content-Location, the HTML a full or partial address, and either may have a base. Rewrites the
// HTML to reference those parts by Content-ID, the only form that code after the parser supports.
// Fetches nothing; addresses without a matching part stay unchanged.

import { decodeWords } from './encoded-words.ts';
import { findHeader } from './headers.ts';
import type { ParsedAttachment } from './parse.ts';
import type { MimePart } from './structure.ts';

/** A part with a Content-Location, and the data that identifies it after parsing. */
export type LocatedPart = {
  mimeType: string;
  /** Includes angle brackets; null if absent. */
  contentId: string | null;
  /** Index among the parts of its type without a Content-ID; -1 for a part that has one. */
  place: number;
  locations: readonly string[];
};

export type LocatedParts = {
  parts: readonly LocatedPart[];
  /** Base addresses for relative addresses in the HTML. */
  bases: readonly string[];
};

/** Default base (RFC 2557 section 5). */
const NO_BASE = 'thismessage:/';
const PARTS_MAX = 500;
const BASES_MAX = 10;
/** Longer addresses are not resolved: each one is combined with each base. */
const LOCATION_MAX_CHARACTERS = 2_000;

function locationOf(part: MimePart, key: 'content-location' | 'content-base'): string | null {
  const field = findHeader(part.fields, key);
  // Senders fold long addresses where no blank belongs.
  const value = field === null ? '' : decodeWords(field.value).replace(/[\s"<>]+/g, '');
  return value === '' || value.length > LOCATION_MAX_CHARACTERS ? null : value;
}

function absolute(address: string, base: string): string | null {
  try {
    return new URL(address, base).href;
  } catch {
    return null;
  }
}

/**
 * Returns the bases that apply to a part, outermost first: those of its multiparts, then its own
 * Content-Base.
 */
function basesAround(part: MimePart): string[] {
  const bases: string[] = [];
  for (let around: MimePart | null = part; around; around = around.parent) {
    const own = locationOf(around, 'content-base');
    const place = around === part ? null : locationOf(around, 'content-location');
    for (const base of [own, place]) if (base !== null) bases.push(base);
  }
  return bases;
}

const absoluteBases = (bases: Iterable<string>): string[] => [
  ...new Set([...new Set(bases)].slice(0, BASES_MAX).flatMap(base => absolute(base, NO_BASE) ?? [])),
];

/** Returns the parts with a location, or null when there are none, as in nearly all messages. */
export function findLocatedParts(leaves: readonly MimePart[]): LocatedParts | null {
  if (!leaves.some(part => part.contentType.value !== 'text/html' && locationOf(part, 'content-location')))
    return null;
  const texts = leaves.filter(({ contentType }) => contentType.value === 'text/html');
  const bases = absoluteBases(
    texts.flatMap(part => [...basesAround(part), locationOf(part, 'content-location') ?? NO_BASE]),
  );
  const places = new Map<string, number>();
  const parts: LocatedPart[] = [];
  for (const part of leaves) {
    const mimeType = part.contentType.value;
    const contentId = findHeader(part.fields, 'content-id')?.value.trim() || null;
    const place = contentId === null ? (places.get(mimeType) ?? 0) : -1;
    if (contentId === null) places.set(mimeType, place + 1);
    const location = locationOf(part, 'content-location');
    if (location === null || mimeType === 'text/html' || parts.length >= PARTS_MAX) continue;
    const own = absoluteBases([...basesAround(part), ...bases, NO_BASE]);
    parts.push({
      mimeType,
      contentId,
      place,
      locations: [...new Set(own.flatMap(base => absolute(location, base) ?? []))],
    });
  }
  return { parts, bases };
}

/** Returns the file parsed from a part, or null when it cannot be determined. */
function fileOf(part: LocatedPart, files: readonly ParsedAttachment[]): ParsedAttachment | null {
  const candidates = files.filter(
    ({ mimeType, contentId }) => mimeType === part.mimeType && contentId === part.contentId,
  );
  return candidates[Math.max(0, part.place)] ?? null;
}

const IN_ATTRIBUTE =
  /\b(src|background|poster)(\s{0,100}=\s{0,100})(?:"([^"]{1,4000})"|'([^']{1,4000})'|([^\s"'>]{1,4000}))/gi;
const IN_STYLE = /\burl\(\s{0,100}(?:"([^"]{1,2000})"|'([^']{1,2000})'|([^\s"'()]{1,2000}))\s{0,100}\)/gi;
const BASE_ELEMENT = /<base\b[^>]{0,500}?\bhref\s{0,100}=\s{0,100}["']?([^\s"'>]{1,2000})/i;

/**
 * Returns the HTML with its located pictures referenced by Content-ID; files without a Content-ID
 * get one. Returns the same text when it references none of them.
 */
export function showLocatedPictures(
  html: string,
  files: readonly ParsedAttachment[],
  { parts, bases }: LocatedParts,
): string {
  const ids = new Map<string, ParsedAttachment>();
  for (const part of parts) {
    const file = fileOf(part, files);
    if (file !== null) for (const location of part.locations) if (!ids.has(location)) ids.set(location, file);
  }
  const element = BASE_ELEMENT.exec(html)?.[1];
  const around = absoluteBases([...(element === undefined ? [] : [element]), ...bases, NO_BASE]);
  const numbers = new Map(files.map((file, index) => [file, index]));
  const find = (address: string): string | null => {
    const bare = address.replaceAll('&amp;', '&').trim();
    if (bare === '' || /^(?:cid|data):/i.test(bare)) return null;
    for (const base of around) {
      const file = ids.get(absolute(bare, base) ?? '');
      if (file === undefined) continue;
      file.contentId ??= `<located-${numbers.get(file)}@parts.invalid>`;
      return `cid:${encodeURIComponent(file.contentId.replace(/^<|>$/g, ''))}`;
    }
    return null;
  };
  return html
    .replace(
      IN_ATTRIBUTE,
      (whole, name: string, equals: string, double?: string, single?: string, bare?: string) => {
        const cid = find(double ?? single ?? bare ?? '');
        return cid === null ? whole : `${name}${equals}"${cid}"`;
      },
    )
    .replace(IN_STYLE, (whole, double?: string, single?: string, bare?: string) => {
      const cid = find(double ?? single ?? bare ?? '');
      return cid === null ? whole : `url(${cid})`;
    });
}
