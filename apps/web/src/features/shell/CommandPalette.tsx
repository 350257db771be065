// The command palette (docs/interface.md#palette): everything that can be done now, found by a few letters. A chunk of its
// own; the commands come from whoever offered them before it opened.
import { CornerDownRight, PenLine, Search, Settings, SquareCheck, Tag, Zap } from 'lucide-react';
import { type ReactNode, useMemo, useRef } from 'react';
import { t } from '../../lib/language.ts';
import type { Command } from '../../session/commands/commands.ts';
import { CommandBox } from '../../ui/CommandBox.tsx';
import {
  entriesOfCommands,
  entriesOfPeople,
  type PaletteGroupId,
  type Person,
  paletteGroups,
} from './palette-entries.ts';

const icons: Record<PaletteGroupId, ReactNode> = {
  start: <PenLine size={16} />,
  conversation: <Zap size={16} />,
  list: <SquareCheck size={16} />,
  go: <CornerDownRight size={16} className="rtl:-scale-x-100" />,
  compose: <PenLine size={16} />,
  tags: <Tag size={16} />,
  settings: <Settings size={16} />,
  search: <Search size={16} />,
};

/** Where the group's icon would say something else. */
const ownIcons: Readonly<Record<string, ReactNode>> = { search: icons.search };

/** What was used last, the last first; of this page only, because ids hold names of tags and people. */
let recent: readonly string[] = [];

export type CommandPaletteProps = {
  /** What could be done when it was asked for; null while it is closed. */
  commands: readonly Command[] | null;
  /** Where the keyboard was then, and is again when the palette has gone. */
  from: HTMLElement | null;
  people: readonly Person[];
  text: string;
  onTextChange: (text: string) => void;
  onWriteTo: (person: Person) => void;
  onSearch: (text: string) => void;
  onClose: () => void;
};

/** The palette; what is picked runs when the focus is back where it was. */
export function CommandPalette(props: CommandPaletteProps) {
  const { commands, from, people, text, onTextChange, onWriteTo, onSearch, onClose } = props;
  const picked = useRef<{ run: () => void; from: HTMLElement | null } | null>(null);
  const entries = useMemo(
    () => [...entriesOfCommands(commands ?? []), ...entriesOfPeople(people, onWriteTo)],
    [commands, people, onWriteTo],
  );
  const wanted = text.trim();
  const search = {
    id: 'search:typed',
    group: 'search' as const,
    title: t('Search for “{text}”', { text: wanted }),
    keywords: '',
    keys: undefined,
    isWanted: true,
    run: () => onSearch(wanted),
  };
  const groups = paletteGroups([...entries, search], text, recent);
  const pick = (id: string) => {
    const entry = groups.flatMap(({ items }) => items).find(one => one.id === id);
    if (entry === undefined) return;
    recent = [id, ...recent.filter(one => one !== id)];
    picked.current = { run: entry.run, from };
    onClose();
  };
  return (
    <CommandBox
      open={commands !== null}
      onClose={onClose}
      onClosed={() => {
        const { current } = picked;
        picked.current = null;
        // Commands are about what has the keyboard.
        current?.from?.focus({ preventScroll: true });
        current?.run();
      }}
      label={t('Command palette')}
      placeholder={t('What do you want to do?')}
      text={text}
      onTextChange={onTextChange}
      groups={groups.map(({ id, label, items }) => ({
        label,
        items: items.map(item => ({
          id: item.id,
          title: item.title,
          keys: item.keys,
          icon: ownIcons[item.id] ?? icons[id],
        })),
      }))}
      onPick={pick}
      empty={t('Nothing fits.')}
    />
  );
}
