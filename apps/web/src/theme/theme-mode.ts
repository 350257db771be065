// The theme shown: applies the user's choice (System, Light, Dark) as `data-theme` on the document,
// live. Stored under the local-storage key `theme_mode` (docs/spec-map.md 3); public/theme-start.js
// reads the same key before the first paint. Independent of all components.
import { useSyncExternalStore } from 'react';
import { findSetting, keepSetting } from '../lib/local-storage.ts';

export type ThemeMode = 'system' | 'light' | 'dark';
export type Theme = 'light' | 'dark';

const storageKey = 'theme_mode';
const barColors = { light: '#F6F7F9', dark: '#0E1117' } as const;

/** Returns the theme for a choice, given whether the system prefers dark. */
export function resolveTheme(mode: ThemeMode, isSystemDark: boolean): Theme {
  if (mode === 'system') return isSystemDark ? 'dark' : 'light';
  return mode;
}

/** Parses a stored choice; any unknown value means System. */
export function parseThemeMode(stored: string | null): ThemeMode {
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

let mode: ThemeMode = 'system';
let theme: Theme = 'light';
let systemDark: MediaQueryList | null = null;
const listeners = new Set<() => void>();

function apply(): void {
  theme = resolveTheme(mode, systemDark?.matches ?? false);
  document.documentElement.dataset.theme = theme;
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', barColors[theme]);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Reads and applies the choice, then follows the system and other tabs. Called once, at startup.
 */
export function startTheme(): void {
  mode = parseThemeMode(findSetting(storageKey));
  systemDark = matchMedia('(prefers-color-scheme: dark)');
  systemDark.addEventListener('change', apply);
  addEventListener('storage', event => {
    if (event.key !== storageKey) return;
    mode = parseThemeMode(event.newValue);
    apply();
  });
  apply();
}

/** Changes and stores the choice. */
export function setThemeMode(next: ThemeMode): void {
  mode = next;
  keepSetting(storageKey, next);
  apply();
}

/** Returns the user's choice. */
export function useThemeMode(): ThemeMode {
  return useSyncExternalStore(subscribe, () => mode);
}

/** Returns the theme currently shown. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, () => theme);
}
