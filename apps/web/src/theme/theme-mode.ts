// Which theme is shown: the user's choice (System, Light, Dark) turned into `data-theme` on the document, live.
// Kept under the local-storage key `theme_mode` (docs/spec-map.md 3); public/theme-start.js reads the same key before
// the first paint. Does not know any component.
import { useSyncExternalStore } from 'react';
import { findSetting, keepSetting } from '../lib/local-storage.ts';

export type ThemeMode = 'system' | 'light' | 'dark';
export type Theme = 'light' | 'dark';

const storageKey = 'theme_mode';
const barColors = { light: '#F6F7F9', dark: '#0E1117' } as const;

/** The theme that a choice means while the system prefers dark or not. */
export function resolveTheme(mode: ThemeMode, isSystemDark: boolean): Theme {
  if (mode === 'system') return isSystemDark ? 'dark' : 'light';
  return mode;
}

/** A stored value as a choice; anything unknown is System. */
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

/** Reads the choice, applies it, and follows the system and other tabs from now on. Called once, at the start. */
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

/** Changes and keeps the choice. */
export function setThemeMode(next: ThemeMode): void {
  mode = next;
  keepSetting(storageKey, next);
  apply();
}

/** The user's choice. */
export function useThemeMode(): ThemeMode {
  return useSyncExternalStore(subscribe, () => mode);
}

/** The theme on the screen. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, () => theme);
}
