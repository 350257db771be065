// Touch gestures of the list pane as a hook. The code is a separate chunk that only touch screens
// load.
import { useEffect, useRef } from 'react';
import { loadChunk } from '../../../../lib/load-chunk.ts';
import { useMedia } from '../../../../lib/media.ts';
import type { MailRowActions } from '../MailRow.tsx';

/** Enables swipes over rows, long presses and pull to refresh on touch screens. */
export function useListGestures(actions: MailRowActions, onRefresh: () => Promise<unknown>) {
  const section = useRef<HTMLElement>(null);
  const isTouch = useMedia('(any-pointer: coarse)');
  const refresh = useRef(onRefresh);
  refresh.current = onRefresh;
  useEffect(() => {
    const element = section.current;
    if (!isTouch || element === null) return;
    let stop: (() => void) | null = () => undefined;
    const load = loadChunk('gestures', () => import('./list-gestures.ts'));
    load.then(
      ({ listenToGestures }) => {
        if (stop !== null) stop = listenToGestures(element, actions, () => refresh.current());
      },
      () => undefined,
    );
    return () => {
      stop?.();
      stop = null;
    };
  }, [isTouch, actions]);
  return section;
}
