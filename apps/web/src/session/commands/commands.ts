// The commands currently available. Components register theirs while mounted; keyboard, `?` sheet
// and palette find them by id. Keys are in shortcut-keys.ts, titles in command-words.ts; a command
// with its own id brings its title along. If several commands share an id, the last registered one
// that is enabled wins.
import { useEffect, useRef } from 'react';
import type { ShortcutId } from './shortcut-keys.ts';

/** `start`: the most common reasons to open the palette, listed first. */
export type CommandGroup = 'start' | 'conversation' | 'list' | 'go' | 'compose' | 'tags' | 'settings';

type CommandAction = {
  run: () => void;
  /** Checked when a key is pressed or the palette opens; always enabled when omitted. */
  isEnabled?: (() => boolean) | undefined;
};

/** A command of the table, with known keys and texts. */
export type KnownCommand = CommandAction & {
  id: ShortcutId;
  title?: undefined;
  /**
   * Palette title while the command does something other than its name says; null if the name is
   * right.
   */
  otherTitle?: (() => string | null) | undefined;
};

/**
 * A command with its own id, for the palette only, as in { id: 'tag:Work', title: t('Tag as
 * {name}', { name }), group: 'tags' }.
 */
export type OwnCommand = CommandAction & {
  id: `${string}:${string}`;
  title: string;
  group: CommandGroup;
  /** Further search terms. */
  keywords?: string;
  /** Listed only for a non-empty search, because there are too many of its kind. */
  isWanted?: boolean;
};

export type Command = KnownCommand | OwnCommand;

type Source = {
  current: readonly Command[];
};

const sources: Source[] = [];

/** Registers these commands while the component is mounted; they may change at every render. */
export function useCommands(commands: readonly Command[]): void {
  const source = useRef(commands);
  source.current = commands;
  useEffect(() => {
    sources.push(source);
    return () => {
      sources.splice(sources.indexOf(source), 1);
    };
  }, []);
}

/** Returns the available command with this id, or null. */
export function findCommand(id: string): Command | null {
  for (const source of sources.toReversed())
    for (const command of source.current)
      if (command.id === id && (command.isEnabled?.() ?? true)) return command;
  return null;
}

/** Returns every available command, once per id. */
export function listCommands(): readonly Command[] {
  const byId = new Map<string, Command>();
  for (const source of sources.toReversed())
    for (const command of source.current)
      if (!byId.has(command.id) && (command.isEnabled?.() ?? true)) byId.set(command.id, command);
  return [...byId.values()];
}
