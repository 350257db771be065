// The text above a recovery kit and its actions, as markup: a browser prints the kit; the native
// shell cannot print and saves it as an unprotected file.
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { RecoveryKitView } from './RecoveryKitView.tsx';

const phrase = Array.from({ length: 24 }, (_, index) => `word${index}`).join(' ');

function markup(isPhone: boolean): string {
  vi.stubGlobal('Capacitor', { isNativePlatform: () => isPhone });
  const nothing = () => undefined;
  return renderToStaticMarkup(
    createElement(RecoveryKitView, {
      email: 'ann@keyfold.test',
      phrase,
      isBusy: false,
      onConfirmed: nothing,
      onLater: nothing,
    }),
  );
}

test('the phone app suggests writing the words down or saving them, and warns that the file is not encrypted', () => {
  const html = markup(true);
  expect(html).toContain('They’re shown only once. Write them down or save them,');
  expect(html).toContain('The file isn’t encrypted and stays when you sign out.');
  expect(html).not.toMatch(/>Print</);
  expect(html).not.toContain('Print them');
  for (const word of phrase.split(' ')) expect(html).toContain(`${word}</li>`);
});

test('a browser suggests printing the words and does not mention the file', () => {
  const html = markup(false);
  expect(html).toContain('They’re shown only once. Print them or write them down,');
  expect(html).toContain('Print');
  expect(html).not.toContain('The file isn’t encrypted');
});
