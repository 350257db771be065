import { readdirSync } from 'node:fs';
import { matchRoutes } from 'react-router';
import { expect, test } from 'vitest';
import { securityPath, settingsRoot } from '../../paths.ts';
import { routes } from '../../routes.tsx';
import { pageCommands } from '../shell/page-commands.ts';
import { findScreen, menuOf } from './menus.ts';
import { areas, type SettingsPage } from './pages.ts';

const listed: readonly SettingsPage[] = Object.values(areas).flatMap(groups =>
  groups.flatMap(({ pages }) => [...pages]),
);
const paths = [...new Set(listed.map(({ path }) => path))];
const splatOf = (pathname: string) => matchRoutes(routes, pathname)?.at(-1)?.route.path;

test('each page has its own path, name and chunk, and appears once in a menu', () => {
  const screens = paths.map(
    path => new Set(listed.filter(page => page.path === path).map(page => page.screen)),
  );
  expect(screens.map(({ size }) => size)).toEqual(paths.map(() => 1));
  expect(new Set(screens.flatMap(one => [...one])).size).toBe(paths.length);
  for (const area of ['settings', 'security'] as const) {
    const pages = menuOf(area).flatMap(group => group.pages);
    expect(new Set(pages.map(({ path }) => path)).size).toBe(pages.length);
    expect(new Set(pages.map(({ title }) => title)).size).toBe(pages.length);
  }
});

test('the menus list the pages of the table', () => {
  const inMenus = (['settings', 'security'] as const).flatMap(area =>
    menuOf(area).flatMap(({ pages }) => pages.map(({ path }) => path)),
  );
  expect(inMenus).toEqual(listed.map(({ path }) => path));
});

test('the palette has a command for each page of the table', () => {
  const commands = pageCommands(false, () => undefined).map(({ id }) => id);
  expect(commands.toSorted()).toEqual(paths.map(path => `page:${path}`).toSorted());
});

test('routes lead to each page of the table and to no other', () => {
  for (const { path, screen, below = {} } of listed) {
    const area = path.startsWith(settingsRoot) ? settingsRoot : securityPath();
    expect(splatOf(path)).toBe(`${area}/*`);
    expect(findScreen(path)).toBe(screen);
    expect(findScreen(`${path.toUpperCase()}/`)).toBe(screen);
    for (const [rest, lower] of Object.entries(below)) {
      expect(splatOf(`${path}/${rest}`)).toBe(`${area}/*`);
      expect(findScreen(`${path}/${rest}`)).toBe(lower);
    }
    expect(findScreen(`${path}/unknown`)).toBeNull();
  }
  expect(findScreen(settingsRoot)).toBeNull();
});

test('every page of the security area is in the table', () => {
  const files = readdirSync(new URL('../security/', import.meta.url)).filter(name =>
    name.endsWith('Page.tsx'),
  );
  expect(areas.security.flatMap(({ pages }) => [...pages])).toHaveLength(files.length);
});
