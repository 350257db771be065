// How this device shows mail: density, reading pane, where it starts, what a swipe does. Kept in local storage, for it holds nothing secret
// and a phone wants other settings than a desk.
import { useSyncExternalStore } from 'react';
import { findSetting, keepSetting } from '../../lib/local-storage.ts';
import { mailPath, recieved } from '../../paths.ts';

export const densities = ['comfortable', 'compact', 'line'] as const;
export const swipeActions = ['archive', 'delete', 'read', 'star', 'snooze', 'none'] as const;
/** Tags are left out: one that was deleted would leave an empty start. */
export const startPages = [recieved, 'starred', 'snoozed', 'drafts', 'sent', 'archived', 'all'] as const;
export type SwipeAction = (typeof swipeActions)[number];

export type Preferences = {
  readonly density: (typeof densities)[number];
  readonly readingPane: 'on' | 'off';
  /** The folder that is shown first. */
  readonly startPage: (typeof startPages)[number];
  /** What comes after an open conversation was archived or deleted. */
  readonly afterAction: 'next' | 'list';
  /** Towards the end of the line, and towards its start. */
  readonly swipeEnd: SwipeAction;
  readonly swipeStart: SwipeAction;
};

const choices: {
  readonly [Name in keyof Preferences]: readonly [Preferences[Name], ...Preferences[Name][]];
} = {
  density: densities,
  readingPane: ['on', 'off'],
  startPage: startPages,
  afterAction: ['next', 'list'],
  swipeEnd: swipeActions,
  swipeStart: ['delete', ...swipeActions],
};

const keyOf = (name: keyof Preferences): string => `mail_${name}`;

/** The first choice when nothing that can be understood is kept. */
function read<Name extends keyof Preferences>(name: Name): Preferences[Name] {
  const kept = findSetting(keyOf(name));
  return choices[name].find(one => one === kept) ?? choices[name][0];
}

let current: Preferences | null = null;
const listeners = new Set<() => void>();

/** What is set. */
export function preferences(): Preferences {
  current ??= {
    density: read('density'),
    readingPane: read('readingPane'),
    startPage: read('startPage'),
    afterAction: read('afterAction'),
    swipeEnd: read('swipeEnd'),
    swipeStart: read('swipeStart'),
  };
  return current;
}

/** Changes and keeps one setting. */
export function setPreference<Name extends keyof Preferences>(name: Name, value: Preferences[Name]): void {
  current = { ...preferences(), [name]: value };
  keepSetting(keyOf(name), value);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Where somebody is led who asked for nothing else (docs/spec-map.md 2: the inbox, unless another folder was chosen). */
export const startPath = (): string => mailPath(preferences().startPage);

/** What is set, live. */
export const usePreferences = (): Preferences => useSyncExternalStore(subscribe, preferences);
