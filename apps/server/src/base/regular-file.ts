/**
 * Opens only regular files in folders that others may write to, such as an archive. A link could
 * expose another of the server's files, and a named pipe or a device could block the reader
 * indefinitely. The check applies to the opened descriptor, so that the file cannot be replaced in
 * between.
 */
import { close, closeSync, constants, fstat, fstatSync, open, openSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

const [openLater, statLater, closeLater] = [promisify(open), promisify(fstat), promisify(close)];

/** The path is a link, a named pipe, a device, a socket or a folder instead of a file. */
export class NotRegular extends Error {
  override readonly name = 'NotRegular';
}

const notRegular = (file: string): NotRegular => new NotRegular(`${file} is not a regular file`);

/** Systems that lack one of the last two flags also lack what it guards against. */
const READING = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
/** Error codes for a link that is not followed, and for a socket. */
const REFUSED: readonly unknown[] = ['ELOOP', 'ENXIO', 'EOPNOTSUPP'];

const explain = (error: unknown, file: string): unknown =>
  REFUSED.includes((error as NodeJS.ErrnoException).code) ? notRegular(file) : error;

/** Opens a file for reading and returns its descriptor. Rejects with NotRegular. */
export async function openRegular(file: string): Promise<number> {
  const descriptor = await openLater(file, READING).catch(error => {
    throw explain(error, file);
  });
  if ((await statLater(descriptor)).isFile()) return descriptor;
  await closeLater(descriptor);
  throw notRegular(file);
}

/** Returns the content of a file. Throws NotRegular. */
export function readRegular(file: string): Buffer {
  let descriptor: number;
  try {
    descriptor = openSync(file, READING);
  } catch (error) {
    throw explain(error, file);
  }
  try {
    if (!fstatSync(descriptor).isFile()) throw notRegular(file);
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
