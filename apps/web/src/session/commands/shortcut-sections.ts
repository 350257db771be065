// Shortcuts by section, as the sheet and the settings list them.
import { commandWords, sheetSections } from './command-words.ts';
import { shortcutIds, shortcutsOf, useShortcutSet, writeKeys } from './shortcut-keys.ts';

export type ShortcutLine = {
  readonly id: string;
  readonly title: string;
  /** Key combinations, formatted for display. */
  readonly keys: readonly string[];
};

export type ShortcutLines = {
  readonly id: string;
  readonly label: string;
  readonly lines: readonly ShortcutLine[];
};

/**
 * Returns the sections with those shortcuts of the chosen set whose title or keys contain `text`;
 * without text, all of them.
 */
export function useShortcutSections(text = ''): readonly ShortcutLines[] {
  const set = useShortcutSet();
  const words = commandWords();
  const wanted = text.trim().toLowerCase();
  const lines = shortcutIds
    .map(id => ({ id, ...words[id], keys: shortcutsOf(id, set).map(writeKeys) }))
    .filter(({ keys }) => keys.length > 0)
    .filter(
      ({ title, keys }) =>
        title.toLowerCase().includes(wanted) || keys.some(one => one.toLowerCase() === wanted),
    );
  return sheetSections()
    .map(([id, label]) => ({ id, label, lines: lines.filter(({ section }) => section === id) }))
    .filter(section => section.lines.length > 0);
}
