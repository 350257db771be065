// Verifies a chain of ARC sets (RFC 8617 §5.2, rsa-sha256) with node:crypto alone, so that seals
// made by the server's library are checked by independent code. For tests only: parses strictly and
// checks every seal and the newest signature.
import { createHash, createPublicKey, verify } from 'node:crypto';
import {
  type Header,
  readTags,
  relaxedBody,
  relaxedHeader,
  signedFields,
  splitMessage,
} from './dkim-verifier.ts';

const SETS_MAX = 50;
const PARTS = ['arc-authentication-results', 'arc-message-signature', 'arc-seal'] as const;
type Part = (typeof PARTS)[number];
type ArcSet = Readonly<Record<Part, Header>>;

type ArcVerdict =
  | { readonly isValid: true; readonly sets: number; readonly domain: string; readonly results: string }
  | { readonly isValid: false; readonly reason: string };

const tagsOf = ({ line }: Header): ReadonlyMap<string, string> => readTags(line.slice(line.indexOf(':') + 1));
const tag = (header: Header, name: string): string => (tagsOf(header).get(name) ?? '').replace(/\s+/g, '');
const unsigned = (header: Header): Header => ({
  ...header,
  line: header.line.replace(/([;\s:]b=)[^;]*/, '$1'),
});

/** Returns the sets by instance, or the reason why they are not a chain. */
function readSets(headers: readonly Header[]): ArcSet[] | string {
  const sets: Partial<Record<Part, Header>>[] = [];
  for (const header of headers) {
    const part = PARTS.find(name => name === header.name);
    if (part === undefined) continue;
    const instance = Number(/^[^:]*:\s*(?:.*?;)?\s*i\s*=\s*(\d{1,2})\s*;/s.exec(header.line)?.[1] ?? 0);
    if (instance < 1 || instance > SETS_MAX) return 'an instance is missing or out of range';
    const set = sets[instance - 1] ?? {};
    sets[instance - 1] = set;
    if (set[part] !== undefined) return 'an instance has a field twice';
    set[part] = header;
  }
  for (let at = 0; at < sets.length; at++)
    if (PARTS.some(part => sets[at]?.[part] === undefined)) return 'a set is not whole';
  return sets as ArcSet[];
}

/** Verifies the chain. `findKey` returns the text of the TXT record at a name, or null. */
export function verifyArc(message: Uint8Array, findKey: (name: string) => string | null): ArcVerdict {
  const invalid = (reason: string): ArcVerdict => ({ isValid: false, reason });
  const { headers, body } = splitMessage(Buffer.from(message).toString('latin1'));
  const sets = readSets(headers);
  if (typeof sets === 'string') return invalid(sets);
  const newest = sets.at(-1);
  if (newest === undefined) return invalid('no set');
  const isSigned = (header: Header, data: string): boolean => {
    const record = findKey(`${tag(header, 's')}._domainkey.${tag(header, 'd')}`);
    if (record === null || tag(header, 'a') !== 'rsa-sha256') return false;
    const der = Buffer.from(readTags(record).get('p') ?? '', 'base64');
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    return verify('sha256', Buffer.from(data, 'latin1'), key, Buffer.from(tag(header, 'b'), 'base64'));
  };
  for (const [at, set] of sets.entries()) {
    const seal = set['arc-seal'];
    if (tag(seal, 'cv') !== (at === 0 ? 'none' : 'pass'))
      return invalid(`seal ${at + 1} says cv=${tag(seal, 'cv')}`);
    const covered = sets.slice(0, at).flatMap(one => PARTS.map(part => one[part]));
    const data = [...covered, set[PARTS[0]], set[PARTS[1]], unsigned(seal)].map(relaxedHeader).join('\r\n');
    if (!isSigned(seal, data)) return invalid(`seal ${at + 1} does not fit`);
  }
  const signature = newest['arc-message-signature'];
  if (tag(signature, 'c') !== 'relaxed/relaxed') return invalid('not relaxed/relaxed');
  const bodyHash = createHash('sha256').update(relaxedBody(body), 'latin1').digest('base64');
  if (bodyHash !== tag(signature, 'bh')) return invalid('body hash differs');
  const names = tag(signature, 'h').toLowerCase().split(':');
  if (names.some(name => name.startsWith('arc-') || name === 'authentication-results'))
    return invalid('the signature covers what changes');
  const others = headers.filter(({ name }) => !name.startsWith('arc-'));
  const data = [...signedFields(others, names), unsigned(signature)].map(relaxedHeader).join('\r\n');
  if (!isSigned(signature, data)) return invalid('signature does not fit');
  const results = newest['arc-authentication-results'];
  return { isValid: true, sets: sets.length, domain: tag(signature, 'd'), results: relaxedHeader(results) };
}
