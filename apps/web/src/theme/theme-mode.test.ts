import { afterEach, beforeEach, expect, test, vi } from 'vitest';

type Listener = (event: { key?: string; newValue?: string | null }) => void;

const stored = new Map<string, string>();
const attributes: Record<string, string> = {};
let system = { matches: false, change: () => {} };
let storageListener: Listener = () => {};

beforeEach(() => {
  vi.resetModules();
  stored.clear();
  system = { matches: false, change: () => {} };
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
  vi.stubGlobal('document', { documentElement: { dataset: attributes }, querySelector: () => null });
  vi.stubGlobal('addEventListener', (_: string, listener: Listener) => {
    storageListener = listener;
  });
  vi.stubGlobal('matchMedia', () => ({
    get matches() {
      return system.matches;
    },
    addEventListener: (_: string, listener: () => void) => {
      system.change = listener;
    },
  }));
});
afterEach(() => vi.unstubAllGlobals());

test('an explicit theme wins, and System follows the operating system', async () => {
  const { resolveTheme } = await import('./theme-mode.ts');
  expect(resolveTheme('light', true)).toBe('light');
  expect(resolveTheme('dark', false)).toBe('dark');
  expect(resolveTheme('system', true)).toBe('dark');
  expect(resolveTheme('system', false)).toBe('light');
});

test('System follows a change of the operating system while the page is open', async () => {
  const { startTheme } = await import('./theme-mode.ts');
  startTheme();
  expect(attributes.theme).toBe('light');
  system.matches = true;
  system.change();
  expect(attributes.theme).toBe('dark');
});

test('a stored choice survives a reload and overrides the system', async () => {
  const first = await import('./theme-mode.ts');
  first.startTheme();
  first.setThemeMode('dark');
  expect(stored.get('theme_mode')).toBe('dark');
  vi.resetModules();
  const second = await import('./theme-mode.ts');
  second.startTheme();
  expect(attributes.theme).toBe('dark');
});

test('a change in another tab applies here', async () => {
  const { startTheme } = await import('./theme-mode.ts');
  startTheme();
  storageListener({ key: 'theme_mode', newValue: 'dark' });
  expect(attributes.theme).toBe('dark');
  storageListener({ key: 'vault', newValue: 'x' });
  expect(attributes.theme).toBe('dark');
});

test('an unknown stored value means System', async () => {
  const { parseThemeMode } = await import('./theme-mode.ts');
  expect(parseThemeMode('purple')).toBe('system');
  expect(parseThemeMode(null)).toBe('system');
});
