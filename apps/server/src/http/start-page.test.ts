import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { startPageHeaders } from './start-page.ts';

const MAP = '{"integrity":{"/bundle.a.js":"sha256-AAAA"}}';
const scriptsOf = (html: string): string =>
  /script-src [^;]*/.exec(startPageHeaders(html)['content-security-policy'] ?? '')?.[0] ?? '';

test('the policy allows the import map of this page and no other inline script', () => {
  const hash = createHash('sha256').update(MAP).digest('base64');
  expect(scriptsOf(`<head><script type="importmap">${MAP}</script></head>`)).toBe(
    `script-src 'self' 'wasm-unsafe-eval' 'sha256-${hash}'`,
  );
  expect(scriptsOf(`<head><script type="importmap">${MAP} </script></head>`)).not.toContain(hash);
});

test('a page with an import map requires an integrity hash for every script', () => {
  const html = `<script type="importmap">${MAP}</script>`;
  expect(startPageHeaders(html)['integrity-policy']).toBe('blocked-destinations=(script)');
  expect(startPageHeaders('<p>')).not.toHaveProperty('integrity-policy');
});
