// The composers that float over the page; inline ones are drawn by the reader.
import { ComposerWindow } from './ComposerWindow.tsx';
import { useComposers } from './composers.ts';

/** All docked, minimised and full composers. */
export function ComposerDock() {
  return useComposers()
    .filter(one => one.mode !== 'inline')
    .map(one => <ComposerWindow key={one.handle} composer={one} />);
}
