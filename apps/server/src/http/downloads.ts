/**
 * Answers with a stored file: whole, or the range asked for. Always as an attachment of no particular type, so that no
 * browser ever renders or guesses at what lies in it.
 */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ByteRange } from '../adapters/blobs.ts';
import type { SentFile } from '../context/call-context.ts';

/**
 * So many bytes of a source. One that is shorter breaks the answer off, which its reader notices: an answer that ended in
 * order, and before its announced end, would be waited for until the connection is given up.
 */
async function* exactly(source: Readable, sizeBytes: number): AsyncGenerator<Uint8Array> {
  let sentBytes = 0;
  for await (const chunk of source) {
    sentBytes += (chunk as Uint8Array).length;
    yield chunk as Uint8Array;
  }
  if (sentBytes !== sizeBytes) throw new Error('A stored file is not as long as it was');
}

const bytesOf = (source: Readable, sizeBytes: number): Readable =>
  Readable.from(exactly(source, sizeBytes), { objectMode: false });

/** Sends the file; 206 with a range, 416 when it lies outside. */
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
 * The range that a resumed download asks for (RFC 9110 §14); 'whole' when none is (or none that we serve: several in one request
 * are answered with the whole file), 'outside' when it lies beyond the file.
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
  // A range that ends before it starts is no range at all: it is ignored, as the RFC says.
  if (last !== '' && Number(last) < start) return 'whole';
  return start >= sizeBytes ? 'outside' : { start, end };
}
