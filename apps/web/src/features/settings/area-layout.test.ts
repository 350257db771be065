import { Tag } from 'lucide-react';
import { expect, test } from 'vitest';
import { findPages } from './AreaLayout.tsx';
import type { PageGroup } from './pages.ts';

const groups: readonly PageGroup[] = [
  { label: 'One', pages: [{ path: '/a', title: 'Präferenzen', words: ['Theme', 'Language'], Icon: Tag }] },
  {
    label: 'Two',
    pages: [
      { path: '/b', title: 'Tags', Icon: Tag },
      { path: '/c', title: 'Rules', words: ['Tag mail'], Icon: Tag },
    ],
  },
];
const found = (typed: string) => findPages(groups, typed).map(({ pages }) => pages.map(({ path }) => path));

test('pages are found by their names and by words on them', () => {
  expect(found('')).toEqual([['/a'], ['/b', '/c']]);
  expect(found('  ')).toEqual([['/a'], ['/b', '/c']]);
  expect(found('prafe')).toEqual([['/a']]);
  expect(found('THEME lang')).toEqual([['/a']]);
  expect(found('tag')).toEqual([['/b', '/c']]);
  expect(found('tag theme')).toEqual([]);
});
