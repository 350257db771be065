// Listens to the keyboard on the whole page and runs the command of a key
// (docs/interface.md#shortcuts). Inactive while the user types or an overlay is open, except for
// the palette's key. Buttons and links keep their own Enter and Space.
import { useEffect } from 'react';
import { isInOverlay, isTypingIn } from '../../lib/typing.ts';
import { GO_SEQUENCE_MS } from '../../timing.ts';
import { findCommand } from './commands.ts';
import { chordOf } from './key-chord.ts';
import { type ShortcutId, type ShortcutSet, shortcutIds, shortcutSet, shortcutsOf } from './shortcut-keys.ts';

/** Keys that other components handle themselves, such as those of the composer. */
const heardElsewhere: ReadonlySet<ShortcutId> = new Set(['send', 'attach', 'addCc', 'addBcc', 'discard']);

let table: { set: ShortcutSet; ids: ReadonlyMap<string, readonly ShortcutId[]>; firsts: ReadonlySet<string> };

/** Returns the commands that each chord, or sequence of two, may trigger in the chosen set. */
function idsByChord() {
  const set = shortcutSet();
  if (table?.set === set) return table;
  const ids = new Map<string, ShortcutId[]>();
  const firsts = new Set<string>();
  for (const id of shortcutIds)
    for (const keys of heardElsewhere.has(id) ? [] : shortcutsOf(id, set)) {
      ids.set(keys, [...(ids.get(keys) ?? []), id]);
      if (keys.includes(' ')) firsts.add(keys.split(' ')[0] ?? '');
    }
  table = { set, ids, firsts };
  return table;
}

/**
 * Enter, Space and the arrows belong to the focused control, except that a row's link gives up
 * Space.
 */
function keepsKey(target: EventTarget | null, chord: string): boolean {
  if (!(target instanceof Element)) return false;
  if (
    chord === 'Escape' ||
    chord === 'Delete' ||
    chord === 'ContextMenu' ||
    !/^[A-Z]/.test(chord) ||
    chord.includes('+')
  )
    return false;
  const control = target.closest(
    'a, button, summary, input, [role="separator"], [role="tab"], [tabindex="0"]',
  );
  return control !== null && !(chord === 'Space' && control.hasAttribute('data-row-focus'));
}

/**
 * Returns the command for a key, given the key pressed shortly before; for the first key of a
 * sequence, returns that key.
 */
function resolve(chord: string, before: string | null, target: EventTarget | null) {
  const { ids, firsts } = idsByChord();
  const candidates = ids.get(before === null ? chord : `${before} ${chord}`) ?? [];
  for (const id of keepsKey(target, chord) ? [] : candidates) {
    const command = findCommand(id);
    if (command !== null) return { command, first: null };
  }
  return { command: null, first: before === null && firsts.has(chord) ? chord : null };
}

/** Listens on the whole page while mounted. Used once, by the frame of the signed-in screens. */
export function useShortcutKeys(): void {
  useEffect(() => {
    let first: { chord: string; at: number } | null = null;
    const onKey = (event: KeyboardEvent) => {
      const chord = chordOf(event);
      if (chord === null) return;
      const before = first !== null && event.timeStamp - first.at < GO_SEQUENCE_MS ? first.chord : null;
      first = null;
      if (event.defaultPrevented) return;
      const isDead = isTypingIn(event.target) || isInOverlay(event.target);
      if (isDead && chord !== 'Mod+k') return;
      const found = resolve(chord, before, event.target);
      if (found.first !== null) first = { chord: found.first, at: event.timeStamp };
      if (found.command === null) return;
      event.preventDefault();
      found.command.run();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
