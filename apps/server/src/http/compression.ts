/**
 * Compresses large answers (ADR 55). An answer about one user holds secrets beside text that strangers chose (the sender of
 * a message), so its length must not tell whether the two share a string, as in BREACH. Such answers are Huffman-coded and
 * nothing more: without back-references a repeated string costs as much as a new one. Only answers that are the same for
 * everyone are compressed in full. Event streams and downloads never are: streams must not wait, files are encrypted.
 */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const packBrotli = promisify(brotliCompress);
const packGzip = promisify(gzip);

/** Smaller answers fit into a few packets anyway, and those with tokens, codes and secrets are all far below. */
const LARGE_MIN_CHARACTERS = 8 * 1024;
/** Calls whose answers may carry secrets of a session: never compressed, whatever their size. */
const SECRET_PATHS = /^\/(?:auth|csrf|otp)\//;

/** The quality of a coding in an Accept-Encoding header (RFC 9110 §12.5.3); 0 when it is not acceptable. */
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

/** Sends the JSON text of a call's answer, Huffman-coded when it is large and the client accepts gzip. */
export async function sendJson(
  text: string,
  isSecret: boolean,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  void reply.type('application/json; charset=utf-8');
  const path = request.routeOptions.url ?? '/';
  if (isSecret || text.length < LARGE_MIN_CHARACTERS || SECRET_PATHS.test(path)) return reply.send(text);
  // A proxy that compressed again would bring the back-references with it.
  void reply.header('cache-control', 'no-store, no-transform').header('vary', 'accept-encoding');
  if (!accepts(request, 'gzip')) return reply.send(text);
  const packed = await packGzip(text, { strategy: constants.Z_HUFFMAN_ONLY });
  return reply.header('content-encoding', 'gzip').send(packed);
}

/** Gives a text that is the same for everyone in the best coding that the client accepts. */
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
