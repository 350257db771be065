// The reading pane as a separate chunk: the list is on screen before the sanitizer and the frame
// are loaded. It is preloaded once the list is shown, so that opening a message does not wait for
// it.
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

/** Shows a hint while nothing is open, otherwise the conversation. */
export function LazyReaderPane(props: ComponentProps<typeof ReaderPane>) {
  const cache = useQueryClient();
  useEffect(() => {
    let warming: ReturnType<typeof setTimeout>;
    const warm = () => {
      // On a slow connection, a parallel download would delay the list.
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
