/**
 * Requests to web sites that strangers name. An address is looked up once, every answer is checked, and the connection
 * goes to the very address that was checked, so that a name cannot change its meaning in between (DNS rebinding); the same
 * again at each redirect. No cookies, no Referer, bounded in time and bytes. What is asked for is the caller's business.
 */
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Dns } from './dns.ts';
import { HostRefusal, isPublicHostText, lookUpHost } from './public-host.ts';

/** Where a connection to a checked address really goes: there, but for tests that stand in for the Internet. */
export type OutboundConnector = (address: string, port: number) => WebRoute;
export type WebRoute = {
  readonly host: string;
  readonly port: number;
  /** Certificate authority to trust in place of the usual ones. */
  readonly ca?: string;
};

export const directConnector: OutboundConnector = (address, port) => ({ host: address, port });

/** The address cannot be fetched, or what came is not what was asked for. Its text never names the address. */
export class WebRefusal extends Error {
  override readonly name = 'WebRefusal';
}

export type WebRequest = {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly schemes: readonly ('http:' | 'https:')[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Most bytes of the answer, unpacked; 0 when nobody wants it. */
  readonly maxBytes: number;
  readonly maxRedirects: number;
  /** Whether a redirect may lead to another origin. */
  readonly mayLeaveOrigin: boolean;
  /** Ends everything. */
  readonly signal: AbortSignal;
};

export type WebAnswer = {
  readonly status: number;
  readonly body: Buffer;
  /** The header of this name (RFC 9110 §10.2.3), as it came. */
  readonly retryAfter: string | undefined;
  /** The same of this one (RFC 9110 §8.3). */
  readonly contentType: string | undefined;
};

export type PublicWeb = { readonly dns: Dns; readonly outboundConnector: OutboundConnector };

const PORTS = { 'http:': 80, 'https:': 443 } as const;
const ALLOWED_PORTS: ReadonlySet<string> = new Set(['', '80', '443']);
const HEADER_MAX_BYTES = 16 * 1024;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Failures after which another address of the same name may do. */
const UNREACHED = /^(?:ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|EADDRNOTAVAIL|ETIMEDOUT)$/;

const hasOddCharacters = (url: string): boolean => /[^\u0021-\u{10ffff}]|\\|\u007f/u.test(url);

/** The address as a URL that may be asked. Throws WebRefusal. */
function readUrl(text: string, schemes: WebRequest['schemes'], base?: URL): URL {
  // URL drops line breaks and tabs silently; whoever writes them has something in mind.
  if (hasOddCharacters(text)) throw new WebRefusal('Odd characters in the address');
  let url: URL;
  try {
    url = new URL(text, base);
  } catch {
    throw new WebRefusal('Not an address');
  }
  if (!(schemes as readonly string[]).includes(url.protocol)) throw new WebRefusal('Another scheme');
  if (!ALLOWED_PORTS.has(url.port)) throw new WebRefusal('Another port');
  if (url.username !== '' || url.password !== '') throw new WebRefusal('Credentials in the address');
  return url;
}

const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

/** Whether an address could be asked for, as far as its text tells; what its name means is looked up when it is asked. */
export function isPublicWebUrl(text: string, schemes: WebRequest['schemes']): boolean {
  try {
    return isPublicHostText(withoutBrackets(readUrl(text, schemes).hostname));
  } catch {
    return false;
  }
}

/** The addresses of a host, all of them public. Throws WebRefusal when one is not, or when there is none. */
async function lookUp(dns: Dns, hostname: string): Promise<string[]> {
  try {
    return await lookUpHost(dns, withoutBrackets(hostname));
  } catch (error) {
    throw error instanceof HostRefusal ? new WebRefusal(error.message) : error;
  }
}

async function whileNotEnded<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const end = () => reject(new WebRefusal('It took too long'));
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

/** Sends the request to one checked address and resolves with the answer's head. */
function connect(
  { outboundConnector }: PublicWeb,
  url: URL,
  address: string,
  asked: WebRequest,
): Promise<IncomingMessage> {
  const isSecure = url.protocol === 'https:';
  const port = url.port === '' ? PORTS[url.protocol as keyof typeof PORTS] : Number(url.port);
  const { host, port: routePort, ca } = outboundConnector(address, port);
  const name = withoutBrackets(url.hostname);
  const options: RequestOptions & { servername?: string; ca?: string } = {
    method: asked.method,
    host,
    port: routePort,
    path: `${url.pathname}${url.search}`,
    setHost: false,
    headers: {
      host: url.host,
      ...asked.headers,
      'accept-encoding': 'identity',
      connection: 'close',
      ...(asked.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(asked.body)) }),
    },
    agent: false,
    maxHeaderSize: HEADER_MAX_BYTES,
    signal: asked.signal,
    ...(isSecure && isIP(name) === 0 ? { servername: name } : {}),
    ...(ca === undefined ? {} : { ca }),
  };
  return new Promise((resolve, reject) => {
    const request = (isSecure ? httpsRequest : httpRequest)(options, resolve);
    request.on('error', reject);
    request.end(asked.body);
  });
}

async function ask(
  web: PublicWeb,
  url: URL,
  addresses: readonly string[],
  asked: WebRequest,
): Promise<IncomingMessage> {
  for (const [index, address] of addresses.entries()) {
    try {
      return await connect(web, url, address, asked);
    } catch (error) {
      const code = String((error as NodeJS.ErrnoException).code);
      if (asked.signal.aborted) throw new WebRefusal('It took too long');
      // The cause names addresses; its code is all that anybody may learn.
      if (index + 1 >= addresses.length || !UNREACHED.test(code))
        throw new WebRefusal(`No connection: ${code}`);
    }
  }
  throw new WebRefusal('No such name');
}

const UNPACKERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/** The answer's content, unpacked as it comes, so that a small answer cannot become a large one unseen. */
function contentOf(answer: IncomingMessage): Readable {
  const encoding = (answer.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return answer;
  const unpack = UNPACKERS.get(encoding);
  if (unpack === undefined) throw new WebRefusal('Packed in an unknown way');
  const unpacked = unpack();
  answer.on('error', error => unpacked.destroy(error));
  return answer.pipe(unpacked);
}

async function readBody(answer: IncomingMessage, { maxBytes, signal }: WebRequest): Promise<Buffer> {
  if (Number(answer.headers['content-length'] ?? 0) > maxBytes) throw new WebRefusal('Too large');
  const content = contentOf(answer);
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of content as AsyncIterable<Buffer>) {
      length += piece.length;
      if (length > maxBytes) throw new WebRefusal('Too large');
      pieces.push(piece);
    }
  } catch (error) {
    if (error instanceof WebRefusal) throw error;
    throw new WebRefusal(signal.aborted ? 'It took too long' : 'The answer broke off');
  }
  return Buffer.concat(pieces);
}

/** Asks, follows redirects, and reads the answer. Throws WebRefusal, which tells nobody more than that. */
export async function askPublicWeb(web: PublicWeb, asked: WebRequest): Promise<WebAnswer> {
  let url = readUrl(asked.url, asked.schemes);
  for (let redirects = 0; ; redirects++) {
    const addresses = await whileNotEnded(lookUp(web.dns, url.hostname), asked.signal);
    const answer = await ask(web, url, addresses, asked);
    answer.on('error', () => undefined);
    try {
      const status = answer.statusCode ?? 0;
      const { location } = answer.headers;
      // What answers a form with "see there" has taken it.
      const isTaken = status === 303 && asked.method === 'POST';
      if (!REDIRECTS.has(status) || location === undefined || isTaken)
        return {
          status,
          body: asked.maxBytes === 0 ? Buffer.alloc(0) : await readBody(answer, asked),
          retryAfter: answer.headers['retry-after'],
          contentType: answer.headers['content-type'],
        };
      if (redirects >= asked.maxRedirects) throw new WebRefusal('Too many redirects');
      const next = readUrl(location, asked.schemes, url);
      if (!asked.mayLeaveOrigin && next.origin !== url.origin) throw new WebRefusal('Leads to another site');
      url = next;
    } finally {
      answer.destroy();
    }
  }
}
