// Finds the invitation in a message: a part of type text/calendar, or a file named .ics. The part
// takes precedence: programs that send both intend the part for clients that support it, and the
// file for the others.
import type { ParsedAttachment } from '../mime/parse.ts';

const isPart = ({ mimeType }: ParsedAttachment): boolean => mimeType.toLowerCase() === 'text/calendar';

const isFile = ({ mimeType, filename }: ParsedAttachment): boolean =>
  /^application\/(?:ics|calendar|x-ics)$/i.test(mimeType) || /\.ics$/i.test(filename ?? '');

/** Reports whether an attachment is calendar data. */
export const isCalendarFile = (file: ParsedAttachment): boolean => isPart(file) || isFile(file);

/**
 * Returns the indexes of the calendar data among the attachments of a message, the preferred one
 * first.
 */
export function findCalendarFiles(files: readonly ParsedAttachment[]): number[] {
  const rank = (file: ParsedAttachment): number =>
    isPart(file) ? (file.method !== null ? 0 : file.disposition === 'attachment' ? 2 : 1) : 3;
  return files
    .map((file, index) => ({ file, index }))
    .filter(({ file }) => isCalendarFile(file))
    .sort((left, right) => rank(left.file) - rank(right.file) || left.index - right.index)
    .map(({ index }) => index);
}
