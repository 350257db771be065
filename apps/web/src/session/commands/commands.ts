// The commands that can be given now: whoever can do something says so here while it is on the screen, and keyboard, `?`
// sheet and palette find it by its id. Keys stand in shortcut-keys.ts, titles in command-words.ts; a command
// with an id of its own brings its title along. Of two with one id, the one that came last and is enabled counts.
import { useEffect, useRef } from 'react';
import type { ShortcutId } from './shortcut-keys.ts';

/** `start`: what people open the palette for most, first in it. */
export type CommandGroup = 'start' | 'conversation' | 'list' | 'go' | 'compose' | 'tags' | 'settings';

type CommandAction = {
  run: () => void;
  /** Asked when a key is pressed or the palette opens; always, when it is left out. */
  isEnabled?: (() => boolean) | undefined;
};

/** A command of the table: its keys and words are known. */
export type KnownCommand = CommandAction & {
  id: ShortcutId;
  title?: undefined;
  /** The palette's words for it now, where it does something else than its name says; null where the name is right. */
  otherTitle?: (() => string | null) | undefined;
};

/** A command of its own, for the palette alone, as in { id: 'tag:Work', title: t('Tag as {name}', { name }), group: 'tags' }. */
export type OwnCommand = CommandAction & {
  id: `${string}:${string}`;
  title: string;
  group: CommandGroup;
  /** Other words that find it. */
  keywords?: string;
  /** Shown only for something that was typed: there are too many of its kind. */
  isWanted?: boolean;
};

export type Command = KnownCommand | OwnCommand;

type Source = {
  current: readonly Command[];
};

const sources: Source[] = [];

/** Offers these commands while the component is on the screen; they may be other ones at every render. */
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

/** The command with this id that can be given now, or null. */
export function findCommand(id: string): Command | null {
  for (const source of sources.toReversed())
    for (const command of source.current)
      if (command.id === id && (command.isEnabled?.() ?? true)) return command;
  return null;
}

/** Every command that can be given now, once for each id. */
export function listCommands(): readonly Command[] {
  const byId = new Map<string, Command>();
  for (const source of sources.toReversed())
    for (const command of source.current)
      if (!byId.has(command.id) && (command.isEnabled?.() ?? true)) byId.set(command.id, command);
  return [...byId.values()];
}
