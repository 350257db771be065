// The composers that float over the page; inline ones are drawn by the reader.
import { useComposers } from './composers.ts';
import { LazyComposerWindow } from './LazyComposerWindow.tsx';

/** All docked, minimised and full composers. */
export function ComposerDock() {
  return useComposers()
    .filter(one => one.mode !== 'inline')
    .map(one => <LazyComposerWindow key={one.handle} composer={one} />);
}
