// Earlier imports: those interrupted by a reload, which can be resumed with the same files, and
// finished ones.
import { useRef } from 'react';
import { formatMessageDate } from '../../lib/dates.ts';
import { t } from '../../lib/language.ts';
import { formatCount, joinParts } from '../../lib/words.ts';
import { chooseFiles } from '../../platform/file-handles.ts';
import { Button } from '../../ui/Button.tsx';
import { FileHead } from './FileHead.tsx';
import { ImportNumbers } from './ImportNumbers.tsx';
import type { Journal } from './journal.ts';
import { forgetImport } from './runs.ts';
import { SkippedButton } from './SkippedButton.tsx';

type ImportHistoryProps = {
  journals: readonly Journal[];
  /** False while another import is running. */
  canResume: boolean;
  /** File handles by import id. */
  handles: ReadonlyMap<string, readonly FileSystemFileHandle[]>;
  onReopen: (journal: Journal, handles: readonly FileSystemFileHandle[]) => void;
  onResume: (journal: Journal, files: readonly File[]) => void;
  onForgotten: () => void;
};

function stateText({ state, plan, at }: Journal): string {
  const date = formatMessageDate(new Date(at), new Date());
  if (state === 'finished') return joinParts([date, t('finished')]);
  if (state === 'cancelled') return joinParts([date, t('canceled')]);
  return joinParts([date, t('stopped at {count}', { count: formatCount(plan.done) })]);
}

function Entry({
  journal,
  canResume,
  handles,
  onReopen,
  onResume,
  onForgotten,
}: Omit<ImportHistoryProps, 'journals'> & { journal: Journal }) {
  const input = useRef<HTMLInputElement>(null);
  const isOpen = journal.state === 'open';
  const kept = handles.get(journal.id);
  const resume = async () => {
    if (kept !== undefined) return onReopen(journal, kept);
    const files = await chooseFiles(true);
    if (files === null) input.current?.click();
    else if (files.length > 0) onResume(journal, files);
  };
  return (
    <li className="rounded-card border border-line bg-surface p-5 max-pane:p-4">
      <FileHead files={journal.files} note={stateText(journal)}>
        {isOpen && (
          <Button disabled={!canResume} onClick={() => void resume()}>
            {t('Resume')}
          </Button>
        )}
        <Button variant="quiet" onClick={() => void forgetImport(journal.id).then(onForgotten)}>
          {t('Remove from history')}
        </Button>
      </FileHead>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        aria-label={t('Choose the same files again')}
        onChange={event => {
          const files = [...(event.target.files ?? [])];
          event.target.value = '';
          if (files.length > 0) onResume(journal, files);
        }}
      />
      <ImportNumbers journal={journal} />
      <p className="mt-3 text-control text-ink-2 empty:hidden">
        {isOpen &&
          `${kept === undefined ? t('Choose the same files again to continue where the import stopped.') : t('The import continues where it stopped. Your browser may ask for permission to read the files again.')} `}
        <SkippedButton journal={journal} raws={[]} />
      </p>
    </li>
  );
}

/** Renders nothing without earlier imports. */
export function ImportHistory({ journals, ...rest }: ImportHistoryProps) {
  if (journals.length === 0) return null;
  return (
    <section aria-labelledby="earlier-imports">
      <h2 id="earlier-imports" className="mb-2 font-semibold">
        {t('Earlier imports')}
      </h2>
      <ul className="flex flex-col gap-3">
        {journals.map(journal => (
          <Entry key={journal.id} journal={journal} {...rest} />
        ))}
      </ul>
    </section>
  );
}
