// The composers that float over the page; inline ones are drawn by the reader.
import { useComposers } from './composers.ts';
import { LazyComposerWindow } from './LazyComposerWindow.tsx';
import { useLetterGuards } from './use-letter-guards.ts';

/** All docked, minimised and full composers; the minimised ones stand in a row beside the docked one. */
export function ComposerDock() {
  const composers = useComposers();
  useLetterGuards(composers);
  const floating = composers.filter(one => one.mode !== 'inline');
  const bars = floating.filter(one => one.mode === 'minimised');
  const hasDocked = floating.some(one => one.mode === 'docked');
  return floating.map(one => (
    <LazyComposerWindow key={one.handle} composer={one} barPlace={bars.indexOf(one) + (hasDocked ? 3 : 0)} />
  ));
}
