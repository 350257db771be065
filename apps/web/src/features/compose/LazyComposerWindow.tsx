// The composer as a separate chunk, fetched when the page is idle or when the first draft is
// opened.
import { type ComponentProps, lazy, Suspense } from 'react';
import { loadChunk } from '../../lib/load-chunk.ts';
import type { ComposerWindow } from './ComposerWindow.tsx';
import { loadDraftWindows } from './windows/composers.ts';

const load = () => loadChunk('compose', () => import('./ComposerWindow.tsx'));

const Composer = lazy(async () => ({ default: (await load()).ComposerWindow }));

/** Prefetches the chunk; a failure surfaces when the chunk is used. */
export function warmComposer(): void {
  void load().catch(() => undefined);
  void loadDraftWindows().catch(() => undefined);
  void loadChunk('rich', () => import('./rich/LazyRichEditor.tsx')).then(
    ({ warmRichEditor }) => warmRichEditor(),
    () => undefined,
  );
}

/** A composer; renders nothing until its chunk has loaded. */
export function LazyComposerWindow(props: ComponentProps<typeof ComposerWindow>) {
  return (
    <Suspense>
      <Composer {...props} />
    </Suspense>
  );
}
