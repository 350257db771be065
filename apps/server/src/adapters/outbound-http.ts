/**
 * HTTP requests to URLs from untrusted sources. The host is resolved once, every address is
 * checked, and the connection goes to exactly the address that was checked, which prevents DNS
 * rebinding; each redirect repeats this. Requests send no cookies and no Referer, and are bounded
 * in time and bytes. The caller decides what to request.
 */
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Dns } from './dns.ts';
import { HostRefusal, isPublicHostText, lookUpHost } from './public-host.ts';

/**
 * Maps a checked address to the actual connection target: the same address, except in tests that
 * simulate the internet.
 */
export type OutboundConnector = (address: string, port: number) => WebRoute;
export type WebRoute = {
  readonly host: string;
  readonly port: number;
  /** Certificate authority to trust instead of the system's. */
  readonly ca?: string;
};

export const directConnector: OutboundConnector = (address, port) => ({ host: address, port });

/**
 * The URL cannot be fetched, or the response is not acceptable. The message never contains the URL.
 */
export class WebRefusal extends Error {
  override readonly name = 'WebRefusal';
}

export type WebRequest = {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly schemes: readonly ('http:' | 'https:')[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Maximum size of the decompressed response, in bytes; 0 when the body is not needed. */
  readonly maxBytes: number;
  readonly maxRedirects: number;
  /** Whether a redirect may lead to another origin. */
  readonly mayLeaveOrigin: boolean;
  /** Aborts the whole request. */
  readonly signal: AbortSignal;
};

export type WebAnswer = {
  readonly status: number;
  readonly body: Buffer;
  /** Raw value of the Retry-After header (RFC 9110 §10.2.3). */
  readonly retryAfter: string | undefined;
  /** Raw value of the Content-Type header (RFC 9110 §8.3). */
  readonly contentType: string | undefined;
};

export type PublicWeb = { readonly dns: Dns; readonly outboundConnector: OutboundConnector };

const PORTS = { 'http:': 80, 'https:': 443 } as const;
const ALLOWED_PORTS: ReadonlySet<string> = new Set(['', '80', '443']);
const HEADER_MAX_BYTES = 16 * 1024;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Failures after which another address of the same host may work. */
const UNREACHED = /^(?:ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|EADDRNOTAVAIL|ETIMEDOUT)$/;

const hasOddCharacters = (url: string): boolean => /[^\u0021-\u{10ffff}]|\\|\u007f/u.test(url);

/** Parses a URL that may be requested. Throws WebRefusal. */
function readUrl(text: string, schemes: WebRequest['schemes'], base?: URL): URL {
  // URL silently drops line breaks and tabs, which suggest an attack.
  if (hasOddCharacters(text)) throw new WebRefusal('Invalid characters in the URL');
  let url: URL;
  try {
    url = new URL(text, base);
  } catch {
    throw new WebRefusal('Invalid URL');
  }
  if (!(schemes as readonly string[]).includes(url.protocol)) throw new WebRefusal('Unsupported URL scheme');
  if (!ALLOWED_PORTS.has(url.port)) throw new WebRefusal('Port not allowed');
  if (url.username !== '' || url.password !== '') throw new WebRefusal('Credentials in the URL');
  return url;
}

const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

/**
 * Returns whether a URL looks public judging by its text only; its host is resolved when it is
 * requested.
 */
export function isPublicWebUrl(text: string, schemes: WebRequest['schemes']): boolean {
  try {
    return isPublicHostText(withoutBrackets(readUrl(text, schemes).hostname));
  } catch {
    return false;
  }
}

/**
 * Returns the addresses of a host, all of them public. Throws WebRefusal when one is not public, or
 * when there is none.
 */
async function lookUp(dns: Dns, hostname: string): Promise<string[]> {
  try {
    return await lookUpHost(dns, withoutBrackets(hostname));
  } catch (error) {
    throw error instanceof HostRefusal ? new WebRefusal(error.message) : error;
  }
}

async function whileNotEnded<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const end = () => reject(new WebRefusal('Request timed out'));
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

/** Sends the request to one checked address and resolves with the response head. */
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
      if (asked.signal.aborted) throw new WebRefusal('Request timed out');
      // The cause contains addresses, so only its code is exposed.
      if (index + 1 >= addresses.length || !UNREACHED.test(code))
        throw new WebRefusal(`Connection failed: ${code}`);
    }
  }
  throw new WebRefusal('Host name not found');
}

const UNPACKERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/**
 * Returns the response body, decompressed as a stream, so that a small response cannot expand to a
 * large one unnoticed.
 */
function contentOf(answer: IncomingMessage): Readable {
  const encoding = (answer.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return answer;
  const unpack = UNPACKERS.get(encoding);
  if (unpack === undefined) throw new WebRefusal('Unsupported content encoding');
  const unpacked = unpack();
  answer.on('error', error => unpacked.destroy(error));
  return answer.pipe(unpacked);
}

async function readBody(answer: IncomingMessage, { maxBytes, signal }: WebRequest): Promise<Buffer> {
  if (Number(answer.headers['content-length'] ?? 0) > maxBytes) throw new WebRefusal('Response too large');
  const content = contentOf(answer);
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of content as AsyncIterable<Buffer>) {
      length += piece.length;
      if (length > maxBytes) throw new WebRefusal('Response too large');
      pieces.push(piece);
    }
  } catch (error) {
    if (error instanceof WebRefusal) throw error;
    throw new WebRefusal(signal.aborted ? 'Request timed out' : 'Response incomplete');
  }
  return Buffer.concat(pieces);
}

/**
 * Sends the request, follows redirects, and reads the response. Throws WebRefusal without details
 * about the target.
 */
export async function askPublicWeb(web: PublicWeb, asked: WebRequest): Promise<WebAnswer> {
  let url = readUrl(asked.url, asked.schemes);
  for (let redirects = 0; ; redirects++) {
    const addresses = await whileNotEnded(lookUp(web.dns, url.hostname), asked.signal);
    const answer = await ask(web, url, addresses, asked);
    answer.on('error', () => undefined);
    try {
      const status = answer.statusCode ?? 0;
      const { location } = answer.headers;
      // A 303 response to a POST means that the form was accepted.
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
      if (!asked.mayLeaveOrigin && next.origin !== url.origin)
        throw new WebRefusal('Redirect to another site');
      url = next;
    } finally {
      answer.destroy();
    }
  }
}
