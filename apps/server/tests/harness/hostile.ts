/** Hostile bytes: invalid HTTP, invalid SMTP, and oversized values for each field of a schema. */
import type { z } from 'zod';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const noise = (length: number): Buffer =>
  Buffer.from(Uint8Array.from({ length }, (_, index) => (index * 7_919 + (index >> 3)) & 0xff));

const JSON_POST = 'POST /auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';
const SMUGGLED = 'GET /auth/domains HTTP/1.1\r\nhost: x\r\n\r\n';

/** Requests that must not succeed. */
export const MALFORMED_HTTP: Readonly<Record<string, Buffer>> = {
  'binary noise': noise(4_096),
  'a TLS greeting': latin1('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'),
  'an SMTP greeting': latin1('EHLO example.test\r\nMAIL FROM:<a@b.test>\r\n'),
  'half a request line': latin1('GET /auth/dom'),
  'half a header': latin1('GET /auth/domains HTTP/1.1\r\nhost: x\r\nx-half'),
  'another version': latin1('GET /auth/domains HTTP/9.9\r\nhost: x\r\n\r\n'),
  'no host': latin1('GET /auth/domains HTTP/1.1\r\n\r\n'),
  'a NUL in the path': latin1('GET /auth/\0domains HTTP/1.1\r\nhost: x\r\n\r\n'),
  'a NUL in a header': latin1('GET /auth/domains HTTP/1.1\r\nhost: x\r\nx: a\0b\r\n\r\n'),
  'a blank before the colon': latin1('GET /auth/domains HTTP/1.1\r\nhost : x\r\n\r\n'),
  'a folded header': latin1('GET /auth/domains HTTP/1.1\r\nhost: x\r\nx: a\r\n b\r\n\r\n').subarray(0, -2),
  'one header of 64 KiB': latin1(`GET /auth/domains HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(65_536)}\r\n\r\n`),
  'thousands of headers': latin1(
    `GET /auth/domains HTTP/1.1\r\nhost: x\r\n${'x-many: 1\r\n'.repeat(5_000)}\r\n`,
  ),
  'an address of 64 KiB': latin1(`GET /${'a'.repeat(65_536)} HTTP/1.1\r\nhost: x\r\n\r\n`),
  'a tunnel': latin1('CONNECT internal.test:25 HTTP/1.1\r\nhost: internal.test:25\r\n\r\n'),
  'a broken escape in the path': latin1('GET /auth/%zz HTTP/1.1\r\nhost: x\r\n\r\n'),
  'length and chunks': latin1(
    `${JSON_POST}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  ),
  'two lengths': latin1(`${JSON_POST}content-length: 2\r\ncontent-length: 40\r\n\r\n{}${SMUGGLED}`),
  'a length below zero': latin1(`${JSON_POST}content-length: -1\r\n\r\n{}`),
  'a length that is no number': latin1(`${JSON_POST}content-length: 2e3\r\n\r\n{}`),
  'a length beyond all': latin1(`${JSON_POST}content-length: 99999999999999999999\r\n\r\n{}`),
  'chunks with a bad size': latin1(`${JSON_POST}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`),
  'chunks with a size below zero': latin1(
    `${JSON_POST}transfer-encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n`,
  ),
  'chunks with a vast size': latin1(`${JSON_POST}transfer-encoding: chunked\r\n\r\nffffffffffffffff\r\n{}`),
  'chunks without an end': latin1(`${JSON_POST}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n`),
  'chunks of another coding': latin1(
    `${JSON_POST}transfer-encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  ),
  'a coding that is not chunked': latin1(`${JSON_POST}transfer-encoding: xchunked\r\n\r\n2\r\n{}\r\n`),
  'half a body': latin1(`${JSON_POST}content-length: 1000\r\n\r\n{"email":`),
  'a body of another type': latin1(
    'POST /auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: text/xml\r\ncontent-length: 4\r\n\r\n<a/>',
  ),
  'a form without a boundary': latin1(
    'POST /user/upload HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data\r\ncontent-length: 4\r\n\r\n----',
  ),
  'pipelined nonsense': latin1(`${JSON_POST}content-length: 1\r\n\r\n{NONSENSE\r\n\r\n`),
};

const SESSION = 'EHLO x.test\r\nMAIL FROM:<al@sender.test>\r\nRCPT TO:<bob@keyfold.test>\r\n';

/** Input that must not deliver a message. */
export const MALFORMED_SMTP: Readonly<Record<string, Buffer>> = {
  'binary noise': noise(4_096),
  'a TLS greeting': latin1('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'),
  'an HTTP request': latin1(
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 60\r\n\r\nEHLO x\r\nMAIL FROM:<a@b.test>\r\n',
  ),
  'a line without end': latin1('EHLO '.padEnd(300_000, 'x')),
  'NULs in commands': latin1(
    'EHLO x\0.test\r\nMAIL\0 FROM:<a@b.test>\r\nRCPT TO:<bob@keyfold.test\0>\r\nDATA\r\n.\r\n',
  ),
  'lone line feeds': latin1(`${SESSION.replaceAll('\r\n', '\n')}DATA\nSubject: lf\n\nx\n.\n`),
  'no MAIL': latin1('EHLO x.test\r\nRCPT TO:<bob@keyfold.test>\r\nDATA\r\n'),
  'no RCPT': latin1('EHLO x.test\r\nMAIL FROM:<a@sender.test>\r\nDATA\r\nSubject: x\r\n\r\nx\r\n.\r\n'),
  'half a message': latin1(`${SESSION}DATA\r\nSubject: half\r\n\r\nhalf of a`),
  'an end that is none': latin1(`${SESSION}DATA\r\nSubject: odd\r\n\r\nx\r\n.\nMAIL FROM:<a@b.test>\r\n`),
  'relaying in all its forms': latin1(
    [
      'EHLO x.test',
      'MAIL FROM:<bob@keyfold.test>',
      'RCPT TO:<victim@elsewhere.test>',
      'RCPT TO:<victim%elsewhere.test@keyfold.test>',
      'RCPT TO:<elsewhere.test!victim@keyfold.test>',
      'RCPT TO:<@keyfold.test:victim@elsewhere.test>',
      'RCPT TO:<"victim@elsewhere.test"@keyfold.test>',
      'RCPT TO:<victim@elsewhere.test,bob@keyfold.test>',
      'DATA',
      '',
    ].join('\r\n'),
  ),
  'commands that are not ours': latin1(
    'EHLO x.test\r\nVRFY bob\r\nEXPN all\r\nAUTH PLAIN AGEAYg==\r\nTURN\r\nETRN x\r\n',
  ),
  'a thousand resets': latin1(`EHLO x.test\r\n${'RSET\r\n'.repeat(1_000)}`),
  'addresses beyond all length': latin1(`EHLO x.test\r\nMAIL FROM:<${'a'.repeat(5_000)}@sender.test>\r\n`),
  'parameters beyond sense': latin1(
    'EHLO x.test\r\nMAIL FROM:<a@sender.test> SIZE=-1 BODY=NONSENSE SIZE=99999999999999999999\r\n',
  ),
  'commands behind STARTTLS': latin1(
    `EHLO x.test\r\nSTARTTLS\r\n${SESSION}DATA\r\nSubject: x\r\n\r\nx\r\n.\r\n`,
  ),
};

/**
 * Sample texts, each valid for some schema; the first match is used for a field that the test does
 * not examine.
 */
const TEXTS = [
  'abc',
  'a.name@keyfold.test',
  'keyfold.test',
  '00000000-0000-7000-8000-000000000000',
  '2020-01-01T00:00:00Z',
  'a'.repeat(64),
  '0'.repeat(64),
  `${'A'.repeat(27)}=`,
  `${'A'.repeat(43)}=`,
  'A'.repeat(80),
  'A'.repeat(43),
  '123456',
  'en',
];
/**
 * Texts that no user would type: a database cannot store some of them, and others are very long or
 * change the text direction.
 */
const ODD_TEXTS = [
  'a\u0000b',
  '\ud800',
  '\udfff@keyfold.test',
  '\u0000@keyfold.test',
  '\u202e\u2066x',
  "'; drop table users; --",
  '../../../../etc/passwd',
  '\r\nBcc: victim@elsewhere.test',
  '\u{1f4a9}'.repeat(60),
  ...[64, 998, 60_000].map(length => 'x'.repeat(length)),
];
const ODD_NUMBERS = [0, -1, 0.5, 1e308, 2 ** 31, 2 ** 53];
const MANY = 1_000;

type Def = {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly in?: z.ZodType;
  readonly entries?: Readonly<Record<string, string>>;
  readonly values?: readonly unknown[];
};
const defOf = (schema: z.ZodType): Def => schema.def as unknown as Def;

const shapeOf = (schema: z.ZodType): [name: string, field: z.ZodType][] =>
  Object.entries((schema as unknown as z.ZodObject).shape as Record<string, z.ZodType>);

const fits = (schema: z.ZodType, value: unknown): boolean => schema.safeParse(value).success;

/** Returns a value that a schema accepts; undefined where none is found or none is required. */
export function sampleOf(schema: z.ZodType): unknown {
  const { type, innerType, element, options = [], in: input, entries = {}, values = [] } = defOf(schema);
  const inner = innerType ?? input;
  const nested =
    type === 'object'
      ? [Object.fromEntries(shapeOf(schema).map(([name, field]) => [name, sampleOf(field)]))]
      : type === 'array' && element !== undefined
        ? [[sampleOf(element)], []]
        : inner === undefined
          ? options.map(sampleOf)
          : [sampleOf(inner)];
  const all = [undefined, ...nested, ...Object.values(entries), ...values, ...TEXTS, 1, 0, true, {}, null];
  return all.find(value => fits(schema, value));
}

/** Returns values that a schema accepts but no user would send. */
export function oddOnesOf(schema: z.ZodType): unknown[] {
  const { type, innerType, element, options = [], in: input, valueType } = defOf(schema);
  const inner = innerType ?? input;
  const made: unknown[] = [];
  if (type === 'object') {
    const whole = sampleOf(schema);
    const sample = typeof whole === 'object' && whole !== null ? whole : {};
    for (const [name, field] of shapeOf(schema))
      for (const odd of oddOnesOf(field)) made.push({ ...sample, [name]: odd });
  } else if (type === 'array' && element !== undefined) {
    const one = sampleOf(element);
    for (const count of [0, MANY]) made.push(Array.from({ length: count }, () => one));
    for (const odd of oddOnesOf(element)) made.push([odd]);
  } else if (type === 'record' && valueType !== undefined) {
    for (const name of ODD_TEXTS) made.push({ [name]: sampleOf(valueType) });
  } else if (inner !== undefined) made.push(...oddOnesOf(inner));
  else if (options.length > 0) made.push(...options.flatMap(oddOnesOf));
  else made.push(...ODD_TEXTS, ...ODD_NUMBERS, [], {});
  return made.filter(value => fits(schema, value));
}
