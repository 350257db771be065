// Where the sidebar hands over mail that was dropped on it: the mail screen that is shown knows what the rows are and can
// take the change back. One screen listens at a time.

import type { FolderName } from '@keyfold/contract';
import { useEffect, useRef } from 'react';

export type DropTarget =
  | { readonly kind: 'tag'; readonly name: string }
  | { readonly kind: 'folder'; readonly folder: FolderName };

type Listener = (ids: readonly string[], target: DropTarget) => void;

let listener: Listener | null = null;

/** Hands dropped rows over. */
export function dropMail(ids: readonly string[], target: DropTarget): void {
  listener?.(ids, target);
}

/** Hears of dropped rows while mounted. */
export function useMailDrops(onDrop: Listener): void {
  const latest = useRef(onDrop);
  latest.current = onDrop;
  useEffect(() => {
    const hear: Listener = (ids, target) => latest.current(ids, target);
    listener = hear;
    return () => {
      if (listener === hear) listener = null;
    };
  }, []);
}
