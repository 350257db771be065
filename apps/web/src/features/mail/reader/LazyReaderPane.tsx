// The reading pane as a chunk of its own: the list is on the screen before the sanitiser and the frame are fetched. Warmed
// as soon as the list stands, so that opening a mail does not wait for it.
import { useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, lazy, Suspense, useEffect } from 'react';
import { loadChunk } from '../../../lib/load-chunk.ts';
import { listsKey } from '../../../session/news/mail-news.ts';
import { READER_WARM_MS } from '../../../timing.ts';
import { ReaderEmpty } from './ReaderEmpty.tsx';
import type { ReaderPane } from './ReaderPane.tsx';
import { ReaderSkeleton } from './ReaderSkeleton.tsx';

const load = () => loadChunk('reader', () => import('./ReaderPane.tsx'));

const Pane = lazy(async () => ({ default: (await load()).ReaderPane }));

/** A hint while nothing is open, the conversation otherwise. */
export function LazyReaderPane(props: ComponentProps<typeof ReaderPane>) {
  const cache = useQueryClient();
  useEffect(() => {
    let warming: ReturnType<typeof setTimeout>;
    const warm = () => {
      // On a slow line what comes beside a list holds it up.
      if (cache.isFetching({ queryKey: listsKey }) > 0) later();
      else void load().catch(() => undefined);
    };
    const later = () => {
      warming = setTimeout(warm, READER_WARM_MS);
    };
    later();
    return () => clearTimeout(warming);
  }, [cache]);
  if (props.mailId === null) return <ReaderEmpty />;
  return (
    <Suspense fallback={<ReaderSkeleton hasBack={props.hasBack} onBack={props.onBack} />}>
      <Pane {...props} />
    </Suspense>
  );
}
