// The step names of sign-up, read by screen readers, as markup in another language.
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { setLanguage } from '../../lib/language.ts';
import { KeyProgress } from './KeyProgress.tsx';

test('translates the names of the steps', () => {
  setLanguage('de', { Account: 'Konto', Keys: 'Schlüssel', 'Recovery kit': 'Wiederherstellungs-Kit' });
  const html = renderToStaticMarkup(createElement(KeyProgress, { current: 1, email: 'ann@keyfold.test' }));
  setLanguage('en', {});
  const names = [...html.matchAll(/<span class="sr-only">([^<]+)</g)].map(([, name]) => name);
  expect(names.slice(0, 3)).toEqual(['Konto', 'Schlüssel', 'Wiederherstellungs-Kit']);
});
