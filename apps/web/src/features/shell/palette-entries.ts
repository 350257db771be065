// Entries of the command palette for the typed text: the currently available commands, people to
// write to, tags, the search. Sorted by match, then by last use. Makes no server requests.
import { fuzzyScore } from '../../lib/fuzzy.ts';
import { t } from '../../lib/language.ts';
import { commandWords } from '../../session/commands/command-words.ts';
import type { Command, CommandGroup } from '../../session/commands/commands.ts';
import { keysOf } from '../../session/commands/shortcut-keys.ts';

export type PaletteGroupId = CommandGroup | 'search';

export type PaletteEntry = {
  id: string;
  group: PaletteGroupId;
  title: string;
  /** Additional words that match it. */
  keywords: string;
  keys: string | undefined;
  /** Shown only when text is typed, because there are too many entries of its kind. */
  isWanted?: boolean;
  run: () => void;
};

export type Person = {
  name: string;
  address: string;
};

/** Maximum number of entries per group for a typed text. */
const GROUP_MAX = 6;

/** Returns commands as entries, without those that are available only through keys. */
export function entriesOfCommands(commands: readonly Command[]): PaletteEntry[] {
  const words = commandWords();
  return commands.flatMap((command): PaletteEntry[] => {
    if (command.title !== undefined) {
      const { id, title, group, keywords = '', isWanted = false, run } = command;
      return [{ id, title, group, keywords, keys: undefined, isWanted, run }];
    }
    const { title, group, keywords = '' } = words[command.id];
    const other = command.otherTitle?.() ?? null;
    return group === null
      ? []
      : [
          {
            id: command.id,
            title: other ?? title,
            group,
            keywords: other === null ? keywords : `${title} ${keywords}`,
            keys: keysOf(command.id),
            run: command.run,
          },
        ];
  });
}

/** Returns people as entries that start a message to them. */
export const entriesOfPeople = (people: readonly Person[], write: (person: Person) => void): PaletteEntry[] =>
  people.map(person => ({
    id: `write:${person.address}`,
    group: 'compose',
    title: t('Compose to {name}', { name: person.name || person.address }),
    keywords: `${person.name} ${person.address}`,
    keys: undefined,
    isWanted: true,
    run: () => write(person),
  }));

export type PaletteGroup = {
  id: PaletteGroupId;
  label: string;
  items: PaletteEntry[];
};

const groupLabels = (): readonly (readonly [PaletteGroupId, string])[] => [
  ['start', t('Mail')],
  ['conversation', t('This conversation')],
  ['list', t('List')],
  ['go', t('Go to')],
  ['compose', t('Compose')],
  ['tags', t('Tags')],
  ['settings', t('Settings')],
  ['search', t('Search')],
];

/** The title counts fully, keywords a little less. */
const scoreOf = ({ title, keywords }: PaletteEntry, typed: string): number =>
  Math.max(fuzzyScore(title, typed), 0.95 * (keywords === '' ? 0 : fuzzyScore(keywords, typed)));

/**
 * Returns the groups to show: by best match once something is typed, in their fixed order before
 * that. `recent` contains ids, last used first.
 */
export function paletteGroups(
  entries: readonly PaletteEntry[],
  typed: string,
  recent: readonly string[],
): PaletteGroup[] {
  const hasTyped = typed.trim() !== '';
  const rankOf = (id: string): number => {
    const at = recent.indexOf(id);
    return at < 0 ? recent.length : at;
  };
  const scored = entries
    .filter(entry => hasTyped || !entry.isWanted)
    .map(entry => ({ entry, score: entry.group === 'search' ? 0.01 : scoreOf(entry, typed) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || rankOf(a.entry.id) - rankOf(b.entry.id));
  const groups = groupLabels().map(([id, label]) => {
    const own = scored.filter(({ entry }) => entry.group === id);
    const items = (hasTyped ? own.slice(0, GROUP_MAX) : own).map(({ entry }) => entry);
    return { id, label, items, best: own[0]?.score ?? 0 };
  });
  const shown = groups.filter(({ items }) => items.length > 0);
  if (hasTyped) shown.sort((a, b) => b.best - a.best);
  return shown.map(({ id, label, items }) => ({ id, label, items }));
}
