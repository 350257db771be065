// The reading pane as a chunk of its own: the list is on the screen before the sanitiser and the frame are fetched. Warmed
// as soon as the list stands, so that opening a mail does not wait for it.
import { type ComponentProps, lazy, Suspense, useEffect } from 'react';
import { loadChunk } from '../../lib/load-chunk.ts';
import { readerWarmMs } from '../../timing.ts';
import { ReaderEmpty } from './ReaderEmpty.tsx';
import type { ReaderPane } from './ReaderPane.tsx';
import { ReaderSkeleton } from './ReaderSkeleton.tsx';

const load = () => loadChunk('reader', () => import('./ReaderPane.tsx'));

const Pane = lazy(async () => ({ default: (await load()).ReaderPane }));

/** A hint while nothing is open, the conversation otherwise. */
export function LazyReaderPane(props: ComponentProps<typeof ReaderPane>) {
  useEffect(() => {
    const warming = setTimeout(() => void load().catch(() => undefined), readerWarmMs);
    return () => clearTimeout(warming);
  }, []);
  if (props.mailId === null) return <ReaderEmpty />;
  return (
    <Suspense fallback={<ReaderSkeleton hasBack={props.hasBack} onBack={props.onBack} />}>
      <Pane {...props} />
    </Suspense>
  );
}
