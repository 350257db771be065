/**
 * Compresses large responses (ADR 55). A response about one user contains secrets next to text
 * chosen by strangers (the sender of a message), so its length must not reveal whether the two
 * share a string, as in BREACH. Such responses are only Huffman-coded: without back-references a
 * repeated string costs as much as a new one. Only responses that are identical for everyone are
 * fully compressed. Event streams and downloads are never compressed: streams must not be delayed,
 * and files are encrypted.
 */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const packBrotli = promisify(brotliCompress);
const packGzip = promisify(gzip);

/**
 * Smaller responses fit into a few packets anyway, and those with tokens, codes and secrets are all
 * far below this size.
 */
const LARGE_MIN_CHARACTERS = 8 * 1024;
/**
 * Endpoints whose responses may contain secrets of a session: never compressed, whatever their
 * size.
 */
const SECRET_PATHS = /^\/(?:auth|csrf|otp)\//;

/**
 * Returns the quality of a coding in an Accept-Encoding header (RFC 9110 §12.5.3); 0 when it is not
 * acceptable.
 */
function qualityOf(header: string, coding: string): number {
  const entries = header
    .toLowerCase()
    .split(',')
    .map(entry => {
      const [name = '', ...parameters] = entry.split(';').map(part => part.trim());
      const quality = parameters.find(parameter => parameter.startsWith('q='))?.slice(2);
      return { name, quality: quality === undefined ? 1 : Number(quality) || 0 };
    });
  const found = entries.find(({ name }) => name === coding) ?? entries.find(({ name }) => name === '*');
  return found?.quality ?? 0;
}

const accepts = (request: FastifyRequest, coding: string): boolean =>
  qualityOf(String(request.headers['accept-encoding'] ?? ''), coding) > 0;

/**
 * Sends the JSON text of a response, Huffman-coded when it is large and the client accepts gzip.
 */
export async function sendJson(
  text: string,
  isSecret: boolean,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  void reply.type('application/json; charset=utf-8');
  const path = request.routeOptions.url ?? '/';
  if (isSecret || text.length < LARGE_MIN_CHARACTERS || SECRET_PATHS.test(path)) return reply.send(text);
  // A proxy that compressed again would reintroduce back-references.
  void reply.header('cache-control', 'no-store, no-transform').header('vary', 'accept-encoding');
  if (!accepts(request, 'gzip')) return reply.send(text);
  const packed = await packGzip(text, { strategy: constants.Z_HUFFMAN_ONLY });
  return reply.header('content-encoding', 'gzip').send(packed);
}

/** Serves a text that is identical for everyone, in the best coding that the client accepts. */
export function createPublicText(
  text: string,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  let packed: Promise<{ br: Buffer; gzip: Buffer }> | null = null;
  return async (request, reply) => {
    void reply.header('vary', 'accept-encoding');
    const coding = (['br', 'gzip'] as const).find(one => accepts(request, one));
    if (coding === undefined) return reply.send(text);
    packed ??= Promise.all([packBrotli(text), packGzip(text)]).then(([br, gzipped]) => ({
      br,
      gzip: gzipped,
    }));
    return reply.header('content-encoding', coding).send((await packed)[coding]);
  };
}
