// The running or just finished import: progress, results, pause and cancel, and the report.
import { CircleAlert, Pause, Play, WifiOff } from 'lucide-react';
import { useState } from 'react';
import { sentenceGap, t } from '../../lib/language.ts';
import { formatSize } from '../../lib/sizes.ts';
import { formatCount, joinParts } from '../../lib/words.ts';
import { AlertDialog } from '../../ui/AlertDialog.tsx';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Progress } from '../../ui/Progress.tsx';
import { FileHead } from './FileHead.tsx';
import { ImportNumbers } from './ImportNumbers.tsx';
import { countText, leftText, stopText } from './import-words.ts';
import { cancelImport, closeImport, continueImport, type LiveRun, pauseImport } from './runs.ts';
import { SkippedButton } from './SkippedButton.tsx';

type ImportRunProps = {
  run: LiveRun;
  onResume: () => void;
};

function phaseText({ phase }: LiveRun): string {
  switch (phase) {
    case 'running':
      return t('Importing');
    case 'paused':
      return t('Paused');
    case 'stopped':
      return t('Stopped');
    case 'finished':
      return t('Finished');
    case 'cancelled':
      return t('Import canceled');
  }
}

export function ImportRun({ run, onResume }: ImportRunProps) {
  const { journal, phase, isWaiting, stop, leftMs, perMinute, raws } = run;
  const { plan, total, share, files } = journal;
  const [isAsked, setAsked] = useState(false);
  const isOpen = phase === 'running' || phase === 'paused' || phase === 'stopped';
  const folderCount = Object.keys(plan.places).length;
  const sizeBytes = files.reduce((sum, { size }) => sum + size, 0);
  const percent = 100 * (total === null ? share : Math.min(1, plan.done / Math.max(1, total)));
  const count = countText(journal, phase === 'finished');
  const isMoving = phase === 'running';
  const holdOrResume = () => {
    if (isMoving) return pauseImport();
    return phase === 'paused' ? continueImport() : onResume();
  };
  const speed = [
    ...(isMoving && perMinute !== null && perMinute >= 1
      ? [t('{count} per minute', { count: formatCount(Math.round(perMinute)) })]
      : []),
    ...(isMoving && leftMs !== null ? [leftText(leftMs)] : []),
  ];
  return (
    <section aria-label={t('Import')} className="rounded-card border border-line bg-surface p-5 max-pane:p-4">
      <FileHead
        files={files}
        note={joinParts([
          formatSize(sizeBytes),
          t('{count, plural, one {# folder} other {# folders}}', { count: folderCount }),
        ])}
      >
        {/* One button for all states, so that it keeps the focus. */}
        {isOpen && (
          <Button variant={isMoving ? 'outline' : 'primary'} onClick={() => void holdOrResume()}>
            {isMoving ? <Pause aria-hidden size={16} /> : <Play aria-hidden size={16} />}
            {isMoving ? t('Pause') : t('Resume')}
          </Button>
        )}
        {isOpen ? (
          <Button variant="quietDanger" onClick={() => setAsked(true)}>
            {t('Cancel')}
          </Button>
        ) : (
          <Button variant="outline" onClick={closeImport}>
            {t('Done')}
          </Button>
        )}
      </FileHead>
      <div className="mb-1.5 flex flex-wrap justify-between gap-x-4 text-control">
        <span role="status" className="tabular-nums">
          {t('{what}: {why}', { what: phaseText(run), why: count })}
        </span>
        <span className="text-ink-2 tabular-nums">{joinParts(speed)}</span>
      </div>
      <Progress
        label={t('Import')}
        thick
        value={phase === 'finished' ? 100 : percent}
        tone={phase === 'stopped' ? 'danger' : 'accent'}
      />
      <ImportNumbers journal={journal} />
      <div className="mt-3 empty:hidden">
        {stop !== null && phase === 'stopped' && (
          <Banner tone="danger" icon={<CircleAlert size={16} />} role="alert">
            {stopText(stop)}
          </Banner>
        )}
        {isWaiting && phase === 'running' && (
          <Banner tone="warn" icon={<WifiOff size={16} />} role="status">
            {t('The server isn’t responding. The import will continue automatically.')}
          </Banner>
        )}
      </div>
      <p className="mt-3 text-control text-ink-2 empty:hidden">
        {isMoving && t('You can leave this page. The import continues while the tab is open.')}
        {isMoving && sentenceGap()}
        <SkippedButton journal={journal} raws={raws} />
      </p>
      <AlertDialog
        open={isAsked}
        title={t('Cancel this import?')}
        confirmLabel={t('Cancel import')}
        cancelLabel={t('Keep importing')}
        onCancel={() => setAsked(false)}
        onConfirm={() => {
          setAsked(false);
          void cancelImport();
        }}
      >
        {t('Messages that were already imported are kept.')}
      </AlertDialog>
    </section>
  );
}
