/**
 * Responds with a stored file, whole or the requested range. The file is always an attachment of a
 * generic type, so that no browser renders it or guesses its content type.
 */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ByteRange } from '../adapters/blobs.ts';
import type { SentFile } from '../context/call-context.ts';

/**
 * Yields exactly the given number of bytes of a source. A shorter source aborts the response, which
 * the client notices: after a response that ended normally before its announced length, the client
 * would wait until the connection times out.
 */
async function* exactly(source: Readable, sizeBytes: number): AsyncGenerator<Uint8Array> {
  let sentBytes = 0;
  for await (const chunk of source) {
    sentBytes += (chunk as Uint8Array).length;
    yield chunk as Uint8Array;
  }
  if (sentBytes !== sizeBytes) throw new Error('The size of a stored file has changed');
}

const bytesOf = (source: Readable, sizeBytes: number): Readable =>
  Readable.from(exactly(source, sizeBytes), { objectMode: false });

/** Sends the file; responds 206 with a range, 416 when the range is outside the file. */
export async function sendDownload(
  file: SentFile,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  void reply
    .type('application/octet-stream')
    .header('content-disposition', 'attachment')
    .header('accept-ranges', 'bytes')
    .header('cache-control', 'private, no-store');
  const range = readRange(request.headers.range, file.sizeBytes);
  if (range === 'outside') {
    return reply.code(416).header('content-range', `bytes */${file.sizeBytes}`).send('');
  }
  if (range === 'whole') {
    void reply.header('content-length', file.sizeBytes);
    return reply.send(bytesOf(await file.open(), file.sizeBytes));
  }
  const sizeBytes = range.end - range.start + 1;
  void reply
    .code(206)
    .header('content-range', `bytes ${range.start}-${range.end}/${file.sizeBytes}`)
    .header('content-length', sizeBytes);
  return reply.send(bytesOf(await file.open(range), sizeBytes));
}

/**
 * Returns the range that a resumed download requests (RFC 9110 §14); 'whole' without a range (or
 * for several ranges in one request, which we answer with the whole file), 'outside' when it lies
 * beyond the file.
 */
function readRange(header: string | undefined, sizeBytes: number): ByteRange | 'whole' | 'outside' {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'whole';
  if (first === '') {
    const length = Math.min(Number(last), sizeBytes);
    return length === 0 ? 'outside' : { start: sizeBytes - length, end: sizeBytes - 1 };
  }
  const start = Number(first);
  const end = last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  // A range that ends before it starts is invalid and ignored, as the RFC requires.
  if (last !== '' && Number(last) < start) return 'whole';
  return start >= sizeBytes ? 'outside' : { start, end };
}
