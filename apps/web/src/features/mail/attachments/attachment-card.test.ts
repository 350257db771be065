// The name of an attachment's button for screen readers, as one translated phrase.
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { setLanguage } from '../../../lib/language.ts';
import type { AttachmentView } from '../state/view-model.ts';
import { AttachmentCard } from './AttachmentCard.tsx';

function spokenName(part: Partial<AttachmentView>): string | undefined {
  const nothing = () => undefined;
  const attachment = { id: 'a', sizeBytes: 1, state: 'ready', canPreview: true, ...part } as AttachmentView;
  const html = renderToStaticMarkup(
    createElement(AttachmentCard, { attachment, onDownload: nothing, onPreview: nothing }),
  );
  return /<span class="sr-only">([^<]+)</.exec(html)?.[1];
}

test('names the action of the card and the file it acts on', () => {
  expect(spokenName({ name: 'a.png', mimeType: 'image/png' })).toBe('Preview a.png');
  expect(spokenName({ name: 'a.eml', mimeType: 'message/rfc822' })).toBe('Open a.eml');
  expect(spokenName({ name: 'a.zip', mimeType: 'application/zip', canPreview: false })).toBe('Save a.zip');
});

test('puts the verb where the language puts it', () => {
  setLanguage('de', { 'Open {name}': '{name} öffnen' });
  const name = spokenName({ name: 'a.eml', mimeType: 'message/rfc822' });
  setLanguage('en', {});
  expect(name).toBe('a.eml öffnen');
});
