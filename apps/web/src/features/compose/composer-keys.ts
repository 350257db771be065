/**
 * Keyboard shortcuts of a composer: Ctrl or ⌘ with Enter sends, and with Shift and another key
 * attaches, shows Cc and Bcc, or discards; Esc closes.
 */
import type { KeyboardEvent } from 'react';
import type { ComposerMode } from './windows/composer-list.ts';

type KeyActions = {
  readonly mode: ComposerMode;
  readonly isReadOnly: boolean;
  readonly send: () => void;
  readonly close: () => void;
  readonly attach: () => void;
  readonly showField: (name: 'cc' | 'bcc') => void;
  readonly discard: () => void;
};

/**
 * Esc closes the list or menu that the focused element has opened, or a dialog over the composer,
 * before the composer itself.
 */
const hasOpenLayer = ({ target }: KeyboardEvent): boolean =>
  (target as Element).closest('[aria-expanded="true"]') !== null ||
  document.querySelector('[role$="dialog"][data-open]') !== null;

function findShifted(key: string, { attach, showField, discard }: KeyActions): (() => void) | undefined {
  const shifted: Readonly<Record<string, () => void>> = {
    a: attach,
    c: () => showField('cc'),
    b: () => showField('bcc'),
    d: discard,
  };
  return shifted[key.toLowerCase()];
}

/** Handles a key press in the composer. */
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
