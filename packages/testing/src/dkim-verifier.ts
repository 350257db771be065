// Verifies a DKIM signature (RFC 6376, rsa-sha256, relaxed/relaxed) with node:crypto alone, so that
// signatures made by the server's library are checked by independent code. For tests only: one
// signature, strict parsing.
import { createHash, createPublicKey, verify } from 'node:crypto';

export type Header = { readonly name: string; readonly line: string };

export type DkimVerdict =
  | {
      readonly isValid: true;
      readonly domain: string;
      readonly selector: string;
      readonly signedHeaders: readonly string[];
    }
  | { readonly isValid: false; readonly reason: string };

const CRLF = '\r\n';

/**
 * Splits a message in latin1 (one character per byte) into its header fields, unfolded but
 * otherwise raw, and its body.
 */
export function splitMessage(raw: string): { readonly headers: Header[]; readonly body: string } {
  const end = raw.indexOf(CRLF + CRLF);
  const block = end < 0 ? raw : raw.slice(0, end);
  const headers = block
    .split(/\r\n(?![ \t])/)
    .map(line => ({ name: (line.split(':')[0] ?? '').trim().toLowerCase(), line }));
  return { headers, body: end < 0 ? '' : raw.slice(end + 4) };
}

export function relaxedHeader({ name, line }: Header): string {
  const value = line.slice(line.indexOf(':') + 1);
  return `${name}:${value
    .replace(/\r\n/g, '')
    .replace(/[ \t]+/g, ' ')
    .trim()}`;
}

export function relaxedBody(body: string): string {
  const lines = body.split(CRLF).map(line => line.replace(/[ \t]+/g, ' ').replace(/ $/, ''));
  while (lines.length > 0 && lines.at(-1) === '') lines.pop();
  return lines.length === 0 ? '' : lines.join(CRLF) + CRLF;
}

export const readTags = (value: string): ReadonlyMap<string, string> =>
  new Map(
    value
      .replace(/\r\n/g, '')
      .split(';')
      .map(part => part.trim())
      .filter(part => part !== '')
      .map(part => {
        const at = part.indexOf('=');
        return [part.slice(0, at).trim(), part.slice(at + 1).trim()] as const;
      }),
  );

/**
 * Returns the fields that `h=` names, each name taken from the last field upwards (RFC 6376
 * §5.4.2).
 */
export function signedFields(headers: readonly Header[], names: readonly string[]): Header[] {
  const left = [...headers];
  return names.flatMap(name => {
    const at = left.findLastIndex(header => header.name === name);
    return at < 0 ? [] : left.splice(at, 1);
  });
}

/**
 * Verifies the message's RSA signature. `findKey` returns the text of the TXT record at a name, or
 * null.
 */
export function verifyDkim(message: Uint8Array, findKey: (name: string) => string | null): DkimVerdict {
  const { headers, body } = splitMessage(Buffer.from(message).toString('latin1'));
  const signature = headers.find(
    header => header.name === 'dkim-signature' && /a=rsa-sha256/.test(header.line),
  );
  if (signature === undefined) return { isValid: false, reason: 'no rsa-sha256 signature' };
  const tags = readTags(signature.line.slice(signature.line.indexOf(':') + 1));
  const need = (name: string) => (tags.get(name) ?? '').replace(/\s+/g, '');
  if (need('c') !== 'relaxed/relaxed') return { isValid: false, reason: 'not relaxed/relaxed' };
  const bodyHash = createHash('sha256').update(relaxedBody(body), 'latin1').digest('base64');
  if (bodyHash !== need('bh')) return { isValid: false, reason: 'body hash differs' };
  const names = need('h').toLowerCase().split(':');
  if (!names.includes('from')) return { isValid: false, reason: 'From is not signed' };
  const record = findKey(`${need('s')}._domainkey.${need('d')}`);
  if (record === null) return { isValid: false, reason: 'no key record' };
  const key = createPublicKey({
    key: Buffer.from(readTags(record).get('p') ?? '', 'base64'),
    format: 'der',
    type: 'spki',
  });
  const unsigned = { ...signature, line: signature.line.replace(/([;\s:]b=)[^;]*/, '$1') };
  const data = [
    ...signedFields(
      headers.filter(header => header !== signature),
      names,
    ).map(relaxedHeader),
    relaxedHeader(unsigned),
  ].join(CRLF);
  const isValid = verify('sha256', Buffer.from(data, 'latin1'), key, Buffer.from(need('b'), 'base64'));
  if (!isValid) return { isValid: false, reason: 'signature does not fit' };
  return { isValid: true, domain: need('d'), selector: need('s'), signedHeaders: names };
}
