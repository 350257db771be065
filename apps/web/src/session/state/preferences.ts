// How this device shows mail: density, reading pane, start page, swipe actions. In local storage,
// because it holds no secret, and a phone needs other settings than a desktop.
import { useSyncExternalStore } from 'react';
import { findSetting, keepSetting } from '../../lib/local-storage.ts';
import { mailPath, recieved } from '../../paths.ts';

export const densities = ['comfortable', 'compact', 'line'] as const;
export const swipeActions = ['archive', 'delete', 'read', 'star', 'snooze', 'none'] as const;
/** Tags are excluded: a deleted one would leave an empty start page. */
export const startPages = [recieved, 'starred', 'snoozed', 'drafts', 'sent', 'archived', 'all'] as const;
export type SwipeAction = (typeof swipeActions)[number];

export type Preferences = {
  readonly density: (typeof densities)[number];
  readonly readingPane: 'on' | 'off';
  /** The folder shown first. */
  readonly startPage: (typeof startPages)[number];
  /** What follows after an open conversation is archived or deleted. */
  readonly afterAction: 'next' | 'list';
  /** Swipes toward the end and toward the start of the line. */
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

/** Returns the first choice if no valid one is stored. */
function read<Name extends keyof Preferences>(name: Name): Preferences[Name] {
  const kept = findSetting(keyOf(name));
  return choices[name].find(one => one === kept) ?? choices[name][0];
}

let current: Preferences | null = null;
const listeners = new Set<() => void>();

/** Returns the current settings. */
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

/** Changes and stores one setting. */
export function setPreference<Name extends keyof Preferences>(name: Name, value: Preferences[Name]): void {
  current = { ...preferences(), [name]: value };
  keepSetting(keyOf(name), value);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Path for users who requested no other page (docs/spec-map.md 2: the inbox, unless another folder
 * was chosen).
 */
export const startPath = (): string => mailPath(preferences().startPage);

/** Returns the current settings, live. */
export const usePreferences = (): Preferences => useSyncExternalStore(subscribe, preferences);
