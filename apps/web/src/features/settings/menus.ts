/** Reads the table of pages, for the menus in the user's language and for the routes. */
import { matchPath } from 'react-router';
import { t } from '../../lib/language.ts';
import { areas, type PageGroup, type SettingsPage } from './pages.ts';

/** Returns the groups of an area with their pages, in the user's language. */
export function menuOf(area: keyof typeof areas): readonly PageGroup[] {
  return areas[area].map(({ label, pages }) => ({
    label: t(label),
    pages: pages.map(({ path, title, words = [], Icon }) => ({
      path,
      title: t(title),
      words: words.map(word => t(word)),
      Icon,
    })),
  }));
}

const listed: readonly SettingsPage[] = Object.values(areas).flatMap(groups =>
  groups.flatMap(({ pages }) => pages),
);

/** All pages by path, including those below a listed page. */
const screens: readonly (readonly [path: string, screen: SettingsPage['screen']])[] = listed.flatMap(
  ({ path, screen, below = {} }) => [
    [path, screen] as const,
    ...Object.entries(below).map(([rest, lower]) => [`${path}/${rest}`, lower] as const),
  ],
);

/**
 * Returns the loader for the page of an address, or null. Matches like the router: ignores case and
 * a trailing slash.
 */
export function findScreen(pathname: string): SettingsPage['screen'] | null {
  return screens.find(([path]) => matchPath(path, pathname) !== null)?.[1] ?? null;
}
