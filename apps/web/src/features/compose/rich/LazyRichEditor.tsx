// The rich text field as a separate chunk, fetched when the user first opens a composer.
import { lazy, Suspense } from 'react';
import { loadChunk } from '../../../lib/load-chunk.ts';
import { withSheet } from '../../../lib/load-styled.ts';
import type { RichEditorProps } from './RichEditor.tsx';

const part = withSheet(() => import('./RichEditor.tsx'));
const load = () => loadChunk('rich-editor', part);

const Editor = lazy(async () => ({ default: (await load()).RichEditor }));

/** Prefetches the editor; a failure surfaces when the editor is used. */
export const warmRichEditor = (): void => void load().catch(() => undefined);

/** A rich text field; a placeholder of the same size until its chunk has loaded. */
export function LazyRichEditor(props: RichEditorProps) {
  return (
    <Suspense fallback={<div className="min-h-32 flex-1" aria-busy />}>
      <Editor {...props} />
    </Suspense>
  );
}
