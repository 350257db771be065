// The words over a recovery kit, and what is offered with it, as markup: in a browser it is printed, in the shell of a phone, whose
// page cannot be printed, it is saved as a file that nothing locks.
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

test('a phone says to write the words down or save them, and that nothing locks the file', () => {
  const html = markup(true);
  expect(html).toContain('They are shown once: write them down, or save them,');
  expect(html).toContain('Nothing locks the file, and it stays when you sign out:');
  expect(html).not.toMatch(/>Print</);
  expect(html).not.toContain('print them');
  for (const word of phrase.split(' ')) expect(html).toContain(`${word}</li>`);
});

test('a browser says to print them, and nothing of a phone', () => {
  const html = markup(false);
  expect(html).toContain('They are shown once: print them, or write them down,');
  expect(html).toContain('Print');
  expect(html).not.toContain('Nothing locks the file');
});
