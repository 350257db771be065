/**
 * Opening files where others may write, such as an archive: regular ones alone. A link could hand out a file of the server's as
 * another, and a named pipe or a device could keep whoever reads it for ever. What is looked at is what was opened, so that nothing
 * takes its place in between.
 */
import { close, closeSync, constants, fstat, fstatSync, open, openSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

const [openLater, statLater, closeLater] = [promisify(open), promisify(fstat), promisify(close)];

/** Where a file was expected there is a link, a named pipe, a device, a socket or a folder. */
export class NotRegular extends Error {
  override readonly name = 'NotRegular';
}

const notRegular = (file: string): NotRegular => new NotRegular(`${file} is not a regular file`);

/** No system that lacks one of the last two has what it is for. */
const READING = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
/** What systems say of a link that is not followed, and of a socket. */
const REFUSED: readonly unknown[] = ['ELOOP', 'ENXIO', 'EOPNOTSUPP'];

const explain = (error: unknown, file: string): unknown =>
  REFUSED.includes((error as NodeJS.ErrnoException).code) ? notRegular(file) : error;

/** Opens a file for reading; its descriptor. Rejects with NotRegular. */
export async function openRegular(file: string): Promise<number> {
  const descriptor = await openLater(file, READING).catch(error => {
    throw explain(error, file);
  });
  if ((await statLater(descriptor)).isFile()) return descriptor;
  await closeLater(descriptor);
  throw notRegular(file);
}

/** The content of a file. Throws NotRegular. */
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
