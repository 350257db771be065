// Passes messages dropped on the sidebar to the visible mail screen, which knows the rows and can
// undo the change. Only one screen listens at a time.

import type { FolderName } from '@keyfold/contract';
import { useEffect, useRef } from 'react';

export type DropTarget =
  | { readonly kind: 'tag'; readonly name: string }
  | { readonly kind: 'folder'; readonly folder: FolderName };

type Listener = (ids: readonly string[], target: DropTarget) => void;

let listener: Listener | null = null;

/** Passes on dropped rows. */
export function dropMail(ids: readonly string[], target: DropTarget): void {
  listener?.(ids, target);
}

/** Receives dropped rows while mounted. */
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
