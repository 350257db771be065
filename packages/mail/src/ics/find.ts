// Finds the invitation in a mail: a part of the type text/calendar, or a file named .ics. The part comes first, since
// programs that send both mean the part for readers and the file for those who cannot read it.
import type { ParsedAttachment } from '../mime/parse.ts';

const isPart = ({ mimeType }: ParsedAttachment): boolean => mimeType.toLowerCase() === 'text/calendar';

const isFile = ({ mimeType, filename }: ParsedAttachment): boolean =>
  /^application\/(?:ics|calendar|x-ics)$/i.test(mimeType) || /\.ics$/i.test(filename ?? '');

/** Whether a file of a mail is calendar data. */
export const isCalendarFile = (file: ParsedAttachment): boolean => isPart(file) || isFile(file);

/** Places of the calendar data among the files of a mail, the one to read first. */
export function findCalendarFiles(files: readonly ParsedAttachment[]): number[] {
  const rank = (file: ParsedAttachment): number =>
    isPart(file) ? (file.method !== null ? 0 : file.disposition === 'attachment' ? 2 : 1) : 3;
  return files
    .map((file, index) => ({ file, index }))
    .filter(({ file }) => isCalendarFile(file))
    .sort((left, right) => rank(left.file) - rank(right.file) || left.index - right.index)
    .map(({ index }) => index);
}
