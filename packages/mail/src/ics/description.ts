// Strips from an event's description what meeting programs append: rules of underscores, dial-in
// numbers, help. Extracts the join link, wherever it is. Judges lines by their form, because the
// words may be in any language. A text without a join link loses only its rules.

type Service = { readonly host: RegExp; readonly path: RegExp };

/** Services that host meetings. */
const SERVICES: readonly Service[] = [
  {
    host: /(?:^|\.)teams\.(?:microsoft|live)\.com$|(?:^|\.)teams\.microsoft\.us$/,
    path: /^\/(?:l\/meetup-join|meet)\//,
  },
  { host: /(?:^|\.)zoom(?:gov)?\.(?:us|com)$/, path: /^\/(?:j|my|w|s|wc\/join)\// },
  { host: /^meet\.google\.com$/, path: /^\/(?:[a-z]{3}-[a-z]{4}-[a-z]{3}|lookup\/)/ },
  { host: /\.webex\.com$/, path: /\/(?:j\.php|meet|join|k2|ke\.php|wbxmjs|m)(?:\/|$)/ },
  { host: /^(?:meet\.goto\.com|global\.gotomeeting\.com|www\.gotomeet(?:ing)?\.(?:me|com))$/, path: /^\/./ },
  { host: /^(?:whereby\.com|meet\.jit\.si|bluejeans\.com|chime\.aws|join\.skype\.com)$/, path: /^\/./ },
  { host: /^meet\.lync\.com$|^meet\.proton\.me$|^facetime\.apple\.com$/, path: /^\/./ },
];

/** Other link targets in their texts: numbers, options, help. */
const SERVICE_HOST =
  /(?:^|\.)(?:teams\.microsoft\.com|teams\.live\.com|lync\.com|skype\.com|aka\.ms|go\.microsoft\.com|zoom\.us|zoomgov\.com|webex\.com|tel\.meet|meet\.google\.com|support\.google\.com|gotomeeting\.com|goto\.com)$/;

const LINK = /https?:\/\/[^\s<>"'\])]+/gi;
const RULE = /^\s*(?:-{3,}|(?:[_\-=*~─━═⎯:·–—.]\s?){6,})\s*$/;
/** Ends with a hash, like a number to type on a phone. */
const DIALED = /[\d)]\s*#|,,\s*\d/;
const PHONE = /\+?\d[\d\s().\-/\u00a0]{6,}\d/;
const ACCESS =
  /\b(?:id|code|pass|passcode|password|pin|kennung|kenncode|kennwort|passwort|mot de passe|contraseña|reunión|réunion|riunione|meeting)\b[^:]{0,25}:\s*\S/i;
const TEMPLATE =
  /is inviting you to a scheduled (?:zoom|webex)|do not (?:edit|delete or change) (?:this section|any of the following)|find (?:a|your) local number|reset (?:dial-in )?pin|^(?:microsoft teams|google meet|zoom|webex)(?: meeting| need help\?)?$/i;

/** Returns the target of a link that a company's link wrapper has rewritten. */
function unwrap(link: string): string {
  const plain = link.replace(/[.,;:!?]+$/, '');
  try {
    const url = new URL(plain);
    if (/(?:^|\.)safelinks\.protection\.outlook\.com$/.test(url.hostname))
      return url.searchParams.get('url') ?? plain;
  } catch {
    return plain;
  }
  return /\/v3\/__(https?:.+?)__;/.exec(plain)?.[1] ?? plain;
}

function placeOf(link: string): { host: string; path: string } | null {
  try {
    const { hostname, pathname, protocol } = new URL(unwrap(link));
    return /^https?:$/.test(protocol) ? { host: hostname.toLowerCase(), path: pathname } : null;
  } catch {
    return null;
  }
}

function isJoinLink(link: string): boolean {
  const place = placeOf(link);
  return place !== null && SERVICES.some(({ host, path }) => host.test(place.host) && path.test(place.path));
}

function isServiceLink(link: string): boolean {
  const place = placeOf(link);
  return place !== null && SERVICE_HOST.test(place.host);
}

const linksOf = (text: string): string[] => text.match(LINK) ?? [];

/** Returns the join link of a meeting from a text or its markup; null when there is none. */
export function findJoinLink(text: string): string | null {
  const found = linksOf(text.replaceAll('&amp;', '&')).find(isJoinLink);
  return found === undefined ? null : unwrap(found).slice(0, 2000);
}

/** Counts the words of a line, without its links and numbers. */
const wordsOf = (line: string): number =>
  line.replace(LINK, ' ').match(/\p{L}[\p{L}\p{M}'’-]*/gu)?.length ?? 0;

const MAX_LABEL_WORDS = 8;

function isNoise(line: string): boolean {
  if (RULE.test(line) || TEMPLATE.test(line.trim())) return true;
  if (wordsOf(line) > MAX_LABEL_WORDS) return false;
  if (DIALED.test(line)) return true;
  const links = linksOf(line);
  if (links.length > 0) return links.every(link => isServiceLink(link) || isJoinLink(link));
  return PHONE.test(line) && !ACCESS.test(line);
}

/** Returns the first and last line of the program's own section if rules enclose it; else null. */
function framed(lines: readonly string[]): readonly [number, number] | null {
  const at = lines.findIndex(line => linksOf(line).some(isJoinLink));
  const from = lines.findLastIndex((line, index) => index < at && RULE.test(line));
  const to = lines.findLastIndex((line, index) => index > at && RULE.test(line));
  return at < 0 || from < 0 || to < 0 || at - from > 12 ? null : [from, to];
}

const MAX_LINES = 2000;

/** Returns the description as the user wrote it, without the join link. */
export function tidyDescription(text: string): string {
  const lines = text.split(/\r?\n/).slice(0, MAX_LINES);
  const hasJoinLink = findJoinLink(text) !== null;
  const frame = hasJoinLink ? framed(lines) : null;
  const kept = lines.filter((line, index) => {
    if (RULE.test(line)) return false;
    if (!hasJoinLink) return true;
    if (frame !== null && index > frame[0] && index < frame[1])
      return ACCESS.test(line) && linksOf(line).length === 0 && !DIALED.test(line);
    if (isNoise(line)) return false;
    // "Join by phone" directly above its numbers.
    const next = lines[index + 1] ?? '';
    const isLabel = wordsOf(line) <= MAX_LABEL_WORDS && !/[.!?,]\s*$/.test(line) && !ACCESS.test(line);
    return line.trim() === '' || !(isLabel && isNoise(next) && !RULE.test(next));
  });
  return kept
    .join('\n')
    .replace(/\n(?:[ \t\u00a0]*\n){2,}/g, '\n\n')
    .trim();
}
