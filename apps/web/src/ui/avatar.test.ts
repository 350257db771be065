import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Avatar } from './Avatar.tsx';

test('a person has initials and a color; no name shows a gray figure', () => {
  const ines = renderToStaticMarkup(createElement(Avatar, { name: 'Ines Almeida' }));
  expect(ines).toMatch(/>IA<\/span>$/);
  expect(ines).not.toMatch(/gray|<svg/);
  expect(renderToStaticMarkup(createElement(Avatar, { name: '' }))).toMatch(/data-color="gray".*<svg/);
});
