// The files of an import at the top of its card: name, status line and actions.
import { FileArchive } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../lib/language.ts';
import type { ImportFile } from './journal.ts';

type FileHeadProps = {
  files: readonly ImportFile[];
  note: string;
  children?: ReactNode;
};

/** `children` are the buttons at the end of the line. */
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
        <div className="font-medium wrap-anywhere">
          <bdi>{files[0]?.name}</bdi>
          {files.length > 1 &&
            ` ${t('{count, plural, one {and # more file} other {and # more files}}', { count: files.length - 1 })}`}
        </div>
        <div className="text-control text-ink-2">{note}</div>
      </div>
      <div className="flex flex-wrap gap-2">{children}</div>
    </div>
  );
}
