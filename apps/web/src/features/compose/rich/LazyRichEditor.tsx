// The rich text field as a chunk of its own, fetched when somebody first writes.
import { lazy, Suspense } from 'react';
import { loadChunk } from '../../../lib/load-chunk.ts';
import { withSheet } from '../../../lib/load-styled.ts';
import type { RichEditorProps } from './RichEditor.tsx';

const part = withSheet(() => import('./RichEditor.tsx'));
const load = () => loadChunk('rich-editor', part);

const Editor = lazy(async () => ({ default: (await load()).RichEditor }));

/** Fetches the editor ahead of its use; a failure shows when it is used. */
export const warmRichEditor = (): void => void load().catch(() => undefined);

/** A rich text field; an empty place of its size until its chunk is there. */
export function LazyRichEditor(props: RichEditorProps) {
  return (
    <Suspense fallback={<div className="min-h-32 flex-1" aria-busy />}>
      <Editor {...props} />
    </Suspense>
  );
}
