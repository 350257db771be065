/**
 * Takes a multipart request apart: the fields as input, the part `file` as a stream (docs/spec-map.md 7). The file is
 * read while it is stored, never held in memory; when it comes before the fields it is spooled.
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
  /** The fields that follow the file, once that was read to its end. Throws malformed. */
  readonly readLater: () => Promise<Readonly<Record<string, unknown>>>;
  /** Frees what the upload occupies; to be called when the handler is done, whatever came of it. */
  readonly finish: () => Promise<void>;
};

/**
 * The bytes of a part. One that breaks off is the sender's failure, not ours. Who stops reading leaves the rest to `finish`:
 * a part that was ended would leave its bytes in the connection, and the next request on it without an answer.
 */
async function* bytesOf(part: MultipartFile): AsyncGenerator<Uint8Array> {
  try {
    yield* part.file.iterator({ destroyOnReturn: false });
  } catch (cause) {
    throw new AppError('malformed', { cause, message: 'The upload broke off' });
  }
}

/** A request whose parts were all read. */
const nothingLater = async () => ({});

/**
 * Reads fields and file. A file is left where it is once `isComplete` says so of the fields before it: with a call that
 * needs none it is never spooled, and the handler decides before a byte of it is taken. Throws media_refused, malformed, or too_large for fields. */
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
            // Unread bytes would keep the connection from being used again.
            part.file.resume();
          },
        };
      } else {
        early = { part, ...(await spool(bytesOf(part), dataDir)) };
      }
    }
  } catch (error) {
    // Nobody else knows of the file that was put aside.
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
