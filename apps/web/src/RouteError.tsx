// Shown when a screen crashes or its chunk fails to load: what happened, a reload button, and
// details without secrets. docs/spec-map.md 8.30, 8.31.
import { RefreshCw, TriangleAlert } from 'lucide-react';
import { useRouteError } from 'react-router';
import { CenteredLayout } from './features/shell/CenteredLayout.tsx';
import { sentenceGap, t } from './lib/language.ts';
import { type ChunkFailure, ChunkLoadError } from './lib/load-chunk.ts';
import { Banner } from './ui/Banner.tsx';
import { Button } from './ui/Button.tsx';
import { CopyButton } from './ui/CopyButton.tsx';

/**
 * Returns the kind of the error and where in the program it occurred; never its message, which may
 * quote mail.
 */
function describe(error: unknown): string {
  if (error instanceof ChunkLoadError) return error.message;
  if (!(error instanceof Error)) return t('Unknown error');
  const frames = (error.stack ?? '').split('\n').filter(line => /bundle\.|\/src\//u.test(line));
  return [error.name, ...frames.slice(0, 6).map(line => line.trim().replaceAll(location.origin, ''))].join(
    '\n',
  );
}

const reload = () => location.reload();

/** The error element of the route table. */
export function RouteError() {
  const error = useRouteError();
  if (error instanceof ChunkLoadError) {
    return (
      <CenteredLayout>
        <h1 className="mb-3 text-subject font-semibold">{t('Couldn’t load part of Keyfold')}</h1>
        <Banner tone="danger" icon={<TriangleAlert size={17} />} role="alert">
          <span className="whitespace-pre-line">{error.message}</span>
        </Banner>
        <p className="my-4 text-ink-2">
          {chunkFailureText(error.reason)}
          {sentenceGap()}
          {t('Drafts are saved on this device. Reload to continue where you left off.')}
        </p>
        <Button onClick={reload}>
          <RefreshCw size={15} />
          {t('Reload')}
        </Button>
      </CenteredLayout>
    );
  }
  const details = describe(error);
  return (
    <CenteredLayout>
      <h1 className="mb-3 flex items-center gap-2 text-subject font-semibold">
        <TriangleAlert aria-hidden size={20} className="text-danger" />
        {t('Unexpected Application Error!')}
      </h1>
      <p className="mb-4 text-ink-2">
        {t(
          'This screen stopped working. Your mail isn’t affected, and drafts are saved on this device. Reload the page. If it happens again, send the details below to the administrator of this service.',
        )}
      </p>
      <div className="mb-4 flex items-start gap-2 rounded-control bg-well p-3">
        <pre className="max-h-40 min-w-0 flex-1 overflow-auto font-mono text-meta whitespace-pre-wrap text-ink-2">
          {details}
        </pre>
        <CopyButton text={details} label={t('Copy details')} />
      </div>
      <Button onClick={reload}>
        <RefreshCw size={15} />
        {t('Reload')}
      </Button>
    </CenteredLayout>
  );
}

/** Explains in one or two sentences why a chunk failed to load, stating only what is known. */
export function chunkFailureText(reason: ChunkFailure): string {
  switch (reason) {
    case 'missing':
      return t(
        'The server doesn’t have a program file that this page needs. Keyfold may have been updated since you opened the page.',
      );
    case 'timeout':
      return t('A program file didn’t load within 2 minutes. Your connection may be slow or down.');
    case 'error':
      return t(
        'A program file couldn’t be loaded or run. Your connection may be down, or a browser extension may be blocking it.',
      );
  }
}
