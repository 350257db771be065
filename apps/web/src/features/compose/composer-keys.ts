/** The keys of a composer: Ctrl or ⌘ with Enter sends, Esc closes, and with Shift letters attach, show Cc and Bcc, discard. */
import type { KeyboardEvent } from 'react';
import type { ComposerMode } from './windows/composer-list.ts';

type KeyActions = {
  readonly mode: ComposerMode;
  readonly isReadOnly: boolean;
  readonly send: () => void;
  readonly close: () => void;
  readonly attach: () => void;
  readonly showField: (label: 'Cc' | 'Bcc') => void;
  readonly discard: () => void;
};

/** Esc belongs to the list or menu that the element with the focus has opened, and to a window over the composer. */
const hasOpenLayer = ({ target }: KeyboardEvent): boolean =>
  (target as Element).closest('[aria-expanded="true"]') !== null ||
  document.querySelector('[role$="dialog"][data-open]') !== null;

function findShifted(key: string, { attach, showField, discard }: KeyActions): (() => void) | undefined {
  const shifted: Readonly<Record<string, () => void>> = {
    a: attach,
    c: () => showField('Cc'),
    b: () => showField('Bcc'),
    d: discard,
  };
  return shifted[key.toLowerCase()];
}

/** Handles a key that was pressed in the composer. */
export function handleComposerKey(event: KeyboardEvent, actions: KeyActions): void {
  const hasControl = event.ctrlKey || event.metaKey;
  if (event.key === 'Enter' && hasControl) {
    event.preventDefault();
    actions.send();
  } else if (event.shiftKey && hasControl) {
    const act = findShifted(event.key, actions);
    if (act === undefined || actions.isReadOnly) return;
    event.preventDefault();
    act();
  } else if (
    event.key === 'Escape' &&
    !event.defaultPrevented &&
    actions.mode !== 'inline' &&
    !hasOpenLayer(event)
  ) {
    actions.close();
  }
}
