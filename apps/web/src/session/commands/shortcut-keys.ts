// Maps keys to commands (docs/interface.md#shortcuts): one table for keyboard, menus, tooltips,
// sheet and palette. The chosen set is stored under the local-storage key `shortcut_keys`: Gmail's
// letters, Proton's, or none. Titles are in command-words.ts, which is loaded on demand.
import { useSyncExternalStore } from 'react';
import { tAs } from '../../lib/language.ts';
import { findSetting, keepSetting } from '../../lib/local-storage.ts';

export type ShortcutSet = 'gmail' | 'proton' | 'off';

/**
 * Key combinations of each command, separated by `|`; two keys pressed in sequence are separated by
 * a space. Letters are lowercase, with their modifiers first. Symbols such as # represent
 * themselves, whatever keys it takes to type them.
 */
const gmail = {
  next: 'j',
  previous: 'k',
  nextMessage: 'n',
  previousMessage: 'p',
  unfoldAll: ';',
  open: 'o',
  back: 'u',
  check: 'x',
  checkRange: 'Shift+x',
  checkAll: '* a',
  checkNone: '* n',
  archive: 'e',
  delete: '#',
  read: 'Shift+i',
  unread: 'Shift+u',
  star: 's',
  tag: 'l',
  spam: '!',
  snooze: 'b',
  reply: 'r',
  replyAll: 'a',
  forward: 'f',
  compose: 'c',
  search: '/',
  help: '?',
  undo: 'z',
  goInbox: 'g i',
  goStarred: 'g s',
  goSent: 'g t',
  goDrafts: 'g d',
  goArchive: 'g a',
  goFlagged: 'g !',
  goDeleted: 'g #',
  goScheduled: 'g c',
  goSnoozed: 'g b',
  goAll: 'g l',
  goSettings: 'g ,',
} as const;

export type ShortcutId = keyof typeof gmail | keyof typeof always;

/** Commands with different keys in Proton's set; the rest is as in Gmail's. */
const proton: Partial<Record<keyof typeof gmail, string>> = {
  archive: 'a',
  delete: 't',
  read: 'r',
  unread: 'u',
  star: '*',
  spam: 's',
  replyAll: 'Shift+r',
  forward: 'Shift+f',
  compose: 'n',
  back: '',
  nextMessage: '',
  checkAll: '',
  checkNone: '',
  goStarred: 'g *',
  goSent: 'g e',
  goArchive: 'g a',
  goFlagged: 'g s',
  goDeleted: 'g t',
};

/**
 * Shortcuts that cannot be turned off. None is a letter, so dictation cannot trigger them (WCAG
 * 2.1.4).
 */
const always = {
  next: 'ArrowDown',
  previous: 'ArrowUp',
  open: 'Enter',
  check: 'Space',
  back: 'Escape',
  checkAll: 'Mod+a',
  delete: 'Delete',
  undo: 'Mod+z',
  menu: 'Shift+F10|ContextMenu',
  palette: 'Mod+k',
  send: 'Mod+Enter',
  attach: 'Mod+Shift+a',
  addCc: 'Mod+Shift+c',
  addBcc: 'Mod+Shift+b',
  discard: 'Mod+Shift+d',
} as const;

const storageKey = 'shortcut_keys';

const parse = (stored: string | null): ShortcutSet =>
  stored === 'proton' || stored === 'off' ? stored : 'gmail';

let set: ShortcutSet | null = null;
const listeners = new Set<() => void>();

/** Returns the chosen set. */
export function shortcutSet(): ShortcutSet {
  set ??= parse(findSetting(storageKey));
  return set;
}

/** Changes and stores the choice. */
export function setShortcutSet(next: ShortcutSet): void {
  set = next;
  keepSetting(storageKey, next);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the chosen set, live. */
export const useShortcutSet = (): ShortcutSet => useSyncExternalStore(subscribe, shortcutSet);

/**
 * Returns every key combination of a command in a set, in the notation above, letters first; empty
 * if there is none.
 */
export function shortcutsOf(id: ShortcutId, chosen: ShortcutSet = shortcutSet()): readonly string[] {
  const letters =
    chosen === 'off' ? '' : chosen === 'proton' ? (at(proton, id) ?? at(gmail, id)) : at(gmail, id);
  return `${letters ?? ''}|${at(always, id) ?? ''}`.split('|').filter(one => one !== '');
}

const at = (table: Readonly<Record<string, string>>, id: string): string | undefined => table[id];

/** Every command that has a key. */
export const shortcutIds = [
  ...new Set([...Object.keys(gmail), ...Object.keys(always)]),
] as readonly ShortcutId[];

const isApple = (): boolean => /mac|iphone|ipad/i.test(navigator.userAgent);

/** Returns the names of keys as keyboards of the current language show them. */
const keyNames = (): Readonly<Record<string, string>> => ({
  Mod: isApple() ? '⌘' : tAs('key', 'Ctrl'),
  Shift: isApple() ? '⇧' : tAs('key', 'Shift'),
  ArrowDown: '↓',
  ArrowUp: '↑',
  Enter: tAs('key', 'Enter'),
  Escape: tAs('key', 'Esc'),
  Space: tAs('key', 'Space'),
  Delete: tAs('key', 'Del'),
  ContextMenu: tAs('key', 'Menu'),
});

/** Formats a key combination for display, as in "Ctrl Shift a", "⌘ k", "g i". */
export function writeKeys(shortcut: string): string {
  const names = keyNames();
  return shortcut.replace(/\+(?=.)/g, ' ').replace(/[A-Za-z]{3,}/g, name => names[name] ?? name);
}

/**
 * Returns the first key combination of a command, for a tooltip or a menu; undefined if it
 * currently has none.
 */
export function keysOf(id: ShortcutId): string | undefined {
  const [first] = shortcutsOf(id);
  return first === undefined ? undefined : writeKeys(first);
}
