// `/app/config/import`: imports mail from files, which are read and sealed in this browser
// (docs/spec-map.md 2.12, docs/interface.md#import): choose files, choose folders, follow the run;
// earlier imports are listed below.
import { CircleAlert } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { t } from '../../lib/language.ts';
import { settingsPath } from '../../paths.ts';
import { chooseFiles, droppedFiles } from '../../platform/file-handles.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { FileDrop } from '../../ui/FileDrop.tsx';
import { Link } from '../../ui/Link.tsx';
import { SettingsPage } from '../../ui/SettingsPage.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { useKeptFocus } from '../../ui/use-kept-focus.ts';
import { ImportChoice } from './ImportChoice.tsx';
import { ImportHistory } from './ImportHistory.tsx';
import { ImportRun } from './ImportRun.tsx';
import { problemText } from './import-words.ts';
import { type Journal, listJournals } from './journal.ts';
import { listHandles } from './kept-handles.ts';
import { RefusedFiles } from './RefusedFiles.tsx';
import {
  closeImport,
  type ImportProblem,
  openImport,
  resumeByHandles,
  resumeStopped,
  resumeWith,
  useImport,
} from './runs.ts';
import { ServerImports } from './ServerImports.tsx';

function ImportPanel() {
  const state = useImport();
  const [problem, setProblem] = useState<ImportProblem | null>(null);
  const [journals, setJournals] = useState<readonly Journal[]>([]);
  const [handles, setHandles] = useState<Awaited<ReturnType<typeof listHandles>>>(new Map());
  const phase = state.kind === 'run' ? state.run.phase : state.kind;
  const reload = useCallback(() => {
    void listJournals().then(setJournals);
    void listHandles().then(setHandles);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is remembered changes with the phase
  useEffect(reload, [phase]);
  const told = (work: Promise<ImportProblem | null>) => void work.then(setProblem);
  const liveId = state.kind === 'run' ? state.run.journal.id : null;
  const isFree = state.kind === 'idle' || phase === 'finished' || phase === 'cancelled';
  const part = useKeptFocus<HTMLDivElement>(phase);
  return (
    <div ref={part} tabIndex={-1} className="flex flex-col gap-6 outline-none">
      {typeof problem === 'string' && (
        <Banner tone="danger" icon={<CircleAlert size={16} />} role="alert">
          {problemText(problem)}
        </Banner>
      )}
      {problem !== null && typeof problem === 'object' && (
        <div className="flex flex-col gap-3">
          <RefusedFiles refused={problem.refused} tone="danger" />
        </div>
      )}
      {state.kind === 'opening' && (
        <div className="flex items-center justify-between gap-2">
          <p role="status" className="flex items-center gap-2 text-ink-2">
            <Spinner />
            {t('Reading the file…')}
          </p>
          <Button variant="quiet" onClick={closeImport}>
            {t('Cancel')}
          </Button>
        </div>
      )}
      {state.kind === 'choosing' && <ImportChoice state={state} onProblem={setProblem} />}
      {state.kind === 'run' && <ImportRun run={state.run} onResume={() => told(resumeStopped())} />}
      {isFree && (
        <div>
          {state.kind === 'run' && <h2 className="mb-2 font-semibold">{t('Import more files')}</h2>}
          <FileDrop
            title={t('Drop PST, MBOX, EML or ZIP files here')}
            hint={t('A ZIP file can contain a Maildir, single messages or MBOX files.')}
            buttonLabel={t('Choose files')}
            multiple
            choose={() => chooseFiles(true)}
            fromDrop={droppedFiles}
            onFiles={files => told(openImport(files))}
          />
        </div>
      )}
      <ServerImports />
      {state.kind !== 'opening' && (
        <ImportHistory
          journals={journals.filter(({ id }) => id !== liveId)}
          canResume={isFree}
          handles={handles}
          onReopen={(journal, kept) =>
            told(
              resumeByHandles(journal, kept).then(found => {
                // After one failed attempt, the user chooses the files instead.
                if (found === 'not_reopened' || found === 'other_files')
                  setHandles(new Map([...handles].filter(([id]) => id !== journal.id)));
                return found;
              }),
            )
          }
          onResume={(journal, files) => told(resumeWith(journal, files))}
          onForgotten={reload}
        />
      )}
    </div>
  );
}

export function ImportPage() {
  return (
    <SettingsPage
      title={t('Import')}
      action={
        <Link alone to={settingsPath('account/export')}>
          {t('Export mail')}
        </Link>
      }
      text={t('Files are opened and encrypted in this browser. The server only receives encrypted messages.')}
    >
      <ImportPanel />
    </SettingsPage>
  );
}
