// The command palette (docs/interface.md#palette): every command that is available now, found by a
// few characters. A separate chunk. The commands come from the components that registered them
// before it opened.
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

/** Icons for entries that the group's icon would misrepresent. */
const ownIcons: Readonly<Record<string, ReactNode>> = { search: icons.search };

/**
 * Recently used entries, latest first. Kept for this page only, because ids contain names of tags
 * and people.
 */
let recent: readonly string[] = [];

export type CommandPaletteProps = {
  /** The commands available when the palette was requested; null while it is closed. */
  commands: readonly Command[] | null;
  /** The element that had the focus; it gets the focus back when the palette closes. */
  from: HTMLElement | null;
  people: readonly Person[];
  text: string;
  onTextChange: (text: string) => void;
  onWriteTo: (person: Person) => void;
  onSearch: (text: string) => void;
  onClose: () => void;
};

/** Renders the palette. A selected command runs once the focus is back on the previous element. */
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
        // Commands act on the focused element.
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
      empty={t('No matches')}
    />
  );
}
