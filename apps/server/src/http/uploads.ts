/**
 * Parses a multipart request: the fields as input, the part `file` as a stream (docs/spec-map.md
 * 7). The file is stored while it is read and never held in memory; when it arrives before the
 * fields, it is spooled.
 */
import type { MultipartFile } from '@fastify/multipart';
import { AppError } from '@keyfold/contract/errors';
import type { FastifyRequest } from 'fastify';
import type { RequestContext } from '../context/call-context.ts';
import { spool } from './spool.ts';

const FIELDS_MAX = 20;
const FIELD_MAX_BYTES = 4096;

export type Upload = {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly file: Omit<NonNullable<RequestContext['file']>, 'readLater'> | undefined;
  /**
   * Returns the fields after the file, once the file has been read to its end. Throws malformed.
   */
  readonly readLater: () => Promise<Readonly<Record<string, unknown>>>;
  /**
   * Frees the upload's resources; must be called when the handler is done, whatever the outcome.
   */
  readonly finish: () => Promise<void>;
};

/**
 * Yields the bytes of a part. A part that breaks off is the client's failure, not ours. A reader
 * that stops early leaves the rest to `finish`: destroying the part would leave its bytes in the
 * connection, and the next request on it without a response.
 */
async function* bytesOf(part: MultipartFile): AsyncGenerator<Uint8Array> {
  try {
    yield* part.file.iterator({ destroyOnReturn: false });
  } catch (cause) {
    throw new AppError('malformed', { cause, message: 'The upload was interrupted' });
  }
}

/** For a request whose parts were all read. */
const nothingLater = async () => ({});

/**
 * Reads fields and file. Leaves the file unread once `isComplete` accepts the fields before it:
 * with a call that needs no further fields the file is never spooled, and the handler decides
 * before a byte of it is accepted. Throws media_refused, malformed, or too_large for fields.
 */
export async function readUpload(
  request: FastifyRequest,
  fileMaxBytes: number,
  dataDir: string,
  isComplete: (fields: Readonly<Record<string, unknown>>) => boolean,
): Promise<Upload> {
  if (!request.isMultipart()) throw new AppError('media_refused');
  const parts = request.parts({
    limits: { fileSize: fileMaxBytes, files: 1, fields: FIELDS_MAX, fieldSize: FIELD_MAX_BYTES },
  });
  const fields: Record<string, unknown> = Object.create(null);
  let early: { part: MultipartFile; content: AsyncIterable<Uint8Array>; remove: () => Promise<void> } | null =
    null;
  try {
    // Not `for await`: leaving that loop would end the parser while the file is still to be read.
    for (;;) {
      const { done, value: part } = await parts.next();
      if (done || part === undefined) break;
      if (part.type === 'field') {
        fields[part.fieldname] = part.value;
      } else if (early !== null) {
        throw new AppError('malformed');
      } else if (isComplete(fields)) {
        return {
          fields,
          file: { content: bytesOf(part), isTooLarge: () => part.file.truncated },
          readLater: async () => {
            const later: Record<string, unknown> = Object.create(null);
            for (;;) {
              const { done: isEnd, value: next } = await parts.next();
              if (isEnd || next === undefined) return later;
              if (next.type !== 'field') throw new AppError('malformed');
              later[next.fieldname] = next.value;
            }
          },
          finish: async () => {
            // Unread bytes would prevent reuse of the connection.
            part.file.resume();
          },
        };
      } else {
        early = { part, ...(await spool(bytesOf(part), dataDir)) };
      }
    }
  } catch (error) {
    // The spooled file is known only here.
    await early?.remove();
    throw error;
  }
  if (early === null) return { fields, file: undefined, readLater: nothingLater, finish: async () => {} };
  const { part, content, remove } = early;
  return {
    fields,
    file: { content, isTooLarge: () => part.file.truncated },
    readLater: nothingLater,
    finish: remove,
  };
}
