/** Reads the table of pages: for the menus, in the reader's language, and for the routes. */
import { matchPath } from 'react-router';
import { t } from '../../lib/language.ts';
import { areas, type PageGroup, type SettingsPage } from './pages.ts';

/** The groups of an area with their pages, in the reader's language. */
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

/** The pages by their paths, with those below them. */
const screens: readonly (readonly [path: string, screen: SettingsPage['screen']])[] = listed.flatMap(
  ({ path, screen, below = {} }) => [
    [path, screen] as const,
    ...Object.entries(below).map(([rest, lower]) => [`${path}/${rest}`, lower] as const),
  ],
);

/** What fetches the page of an address, which counts as routes do: without case and a last slash. */
export function findScreen(pathname: string): SettingsPage['screen'] | null {
  return screens.find(([path]) => matchPath(path, pathname) !== null)?.[1] ?? null;
}
