/** Files dropped or pasted into a composer, unless its editor has inserted them as pictures. */
import { type ClipboardEvent, type DragEvent, type SyntheticEvent, useState } from 'react';

type DropNeeds = {
  /**
   * Returns whether the event happened inside the composer: dialogs over it are its children in
   * React, but not in the DOM.
   */
  readonly isInside: (event: SyntheticEvent) => boolean;
  readonly isReadOnly: boolean;
  readonly onFiles: (files: File[]) => void;
};

/**
 * `handlers` belong on the frame; `isDropping` is true while files are dragged over it; `takeFiles`
 * is for a file input.
 */
export function useDroppedFiles({ isInside, isReadOnly, onFiles }: DropNeeds) {
  const [isDropping, setDropping] = useState(false);
  const takeFiles = (list: FileList, event: SyntheticEvent) => {
    if (list.length === 0 || isReadOnly || event.defaultPrevented || !isInside(event)) return;
    event.preventDefault();
    onFiles([...list]);
  };
  const handlers = {
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes('Files')) return;
      event.preventDefault();
      setDropping(true);
    },
    onDragLeave: (event: DragEvent) => {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setDropping(false);
    },
    onDrop: (event: DragEvent) => {
      setDropping(false);
      takeFiles(event.dataTransfer.files, event);
    },
    onPaste: (event: ClipboardEvent) => takeFiles(event.clipboardData.files, event),
  };
  return { isDropping, takeFiles, handlers };
}
