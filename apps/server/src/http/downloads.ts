/**
 * Answers with a stored file: whole, or the range asked for. Always as an attachment of no particular type, so that no
 * browser ever renders or guesses at what lies in it.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readRange } from './byte-range.ts';
import type { SentFile } from './context.ts';

/** Sends the file; 206 with a range, 416 when it lies outside. */
export const sendDownload = async (
  file: SentFile,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
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
    return reply.send(await file.open());
  }
  void reply
    .code(206)
    .header('content-range', `bytes ${range.start}-${range.end}/${file.sizeBytes}`)
    .header('content-length', range.end - range.start + 1);
  return reply.send(await file.open(range));
};
