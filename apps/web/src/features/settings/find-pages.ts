// Finds pages of the settings by what is typed: their names, and words that stand on them.
import type { PageGroup } from './pages.ts';

/** Neither case nor accents count. */
const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** The groups with the pages that have every typed word; groups without any are left out. All when nothing is typed. */
export function findPages(groups: readonly PageGroup[], typed: string): readonly PageGroup[] {
  const wanted = fold(typed).split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return groups;
  return groups
    .map(group => ({
      ...group,
      pages: group.pages.filter(({ title, words = [] }) => {
        const text = fold([title, ...words].join(' '));
        return wanted.every(word => text.includes(word));
      }),
    }))
    .filter(({ pages }) => pages.length > 0);
}
