// The files of an import at the top of its card: name, a line about them, and what can be done.
import { FileArchive } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../lib/language.ts';
import type { ImportFile } from './journal.ts';

/** The first file's name, and how many more there are. */
export const namesOf = (files: readonly ImportFile[]): string =>
  files.length <= 1
    ? (files[0]?.name ?? '')
    : t('{name} and {count, plural, one {# more file} other {# more files}}', {
        name: files[0]?.name ?? '',
        count: files.length - 1,
      });

interface FileHeadProps {
  files: readonly ImportFile[];
  note: string;
  children?: ReactNode;
}

/** Buttons stand at the end of the line. */
export function FileHead({ files, note, children }: FileHeadProps) {
  return (
    <div className="mb-4 flex flex-wrap items-center gap-3">
      <span
        aria-hidden
        className="grid size-10 shrink-0 place-items-center rounded-control bg-well text-ink-2"
      >
        <FileArchive size={20} />
      </span>
      <div className="min-w-32 flex-1">
        <div className="font-medium break-words">{namesOf(files)}</div>
        <div className="text-control text-ink-2">{note}</div>
      </div>
      <div className="flex flex-wrap gap-2">{children}</div>
    </div>
  );
}
