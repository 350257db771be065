// The composer as a chunk of its own, fetched when the page is idle or when the first letter is opened.
import { type ComponentProps, lazy, Suspense } from 'react';
import { loadChunk } from '../../lib/load-chunk.ts';
import type { ComposerWindow } from './ComposerWindow.tsx';
import { loadDraftWindows } from './windows/composers.ts';

const load = () => loadChunk('compose', () => import('./ComposerWindow.tsx'));

const Composer = lazy(async () => ({ default: (await load()).ComposerWindow }));

/** Fetches the chunk ahead of its use; a failure shows when it is used. */
export function warmComposer(): void {
  void load().catch(() => undefined);
  void loadDraftWindows().catch(() => undefined);
  void loadChunk('rich', () => import('./rich/LazyRichEditor.tsx')).then(
    ({ warmRichEditor }) => warmRichEditor(),
    () => undefined,
  );
}

/** A composer; nothing until its chunk is there. */
export function LazyComposerWindow(props: ComponentProps<typeof ComposerWindow>) {
  return (
    <Suspense>
      <Composer {...props} />
    </Suspense>
  );
}
