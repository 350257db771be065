// Composers that float over the page; the reader renders inline ones. Once the page has loaded,
// drafts that a lost tab left on this device are restored here.
import { useEffect } from 'react';
import { draftsWarmMs } from '../../timing.ts';
import { LazyComposerWindow } from './LazyComposerWindow.tsx';
import { useDraftGuards } from './use-draft-guards.ts';
import { useComposers } from './windows/composer-list.ts';
import { loadDraftWindows } from './windows/composers.ts';

/**
 * All docked, minimized and full composers; the minimized ones form a row beside the docked one.
 */
export function ComposerDock() {
  const composers = useComposers();
  useDraftGuards(composers);
  useEffect(() => {
    let stop: (() => void) | null = null;
    let isGone = false;
    const begin = setTimeout(
      () =>
        void loadDraftWindows()
          .then(({ restoreDrafts, serveTabs }) => {
            if (isGone) return;
            stop = serveTabs();
            return restoreDrafts();
          })
          .catch(() => undefined),
      draftsWarmMs,
    );
    return () => {
      isGone = true;
      clearTimeout(begin);
      stop?.();
    };
  }, []);
  const floating = composers.filter(one => one.mode !== 'inline');
  const bars = floating.filter(one => one.mode === 'minimized');
  const hasDocked = floating.some(one => one.mode === 'docked');
  return floating.map(one => (
    <LazyComposerWindow key={one.handle} composer={one} barPlace={bars.indexOf(one) + (hasDocked ? 3 : 0)} />
  ));
}
