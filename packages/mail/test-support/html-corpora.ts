// Test support: every piece of markup of the shared HTML corpora, by corpus. Not part of the
// product.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { corpusPath, hasCorpora } from './corpora.ts';

type Case = {
  id?: string;
  html?: string;
  data?: string;
  input?: string;
};

function jsonCases(file: string): { name: string; html: string }[] {
  const { cases } = JSON.parse(readFileSync(corpusPath(`html/${file}`), 'utf8')) as {
    cases: (Case | string)[];
  };
  return cases.map((one, index) => ({
    name: `${file} ${index}`,
    html: typeof one === 'string' ? one : (one.html ?? one.data ?? one.input ?? ''),
  }));
}

function feedCases(): { name: string; html: string }[] {
  const folder = corpusPath('html/feedparser-sanitize');
  return readdirSync(folder).map(name => {
    const xml = readFileSync(join(folder, name), 'utf8');
    const html = xml
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&');
    return { name, html: html.replace(/<\?xml[^>]*>|<!--[\s\S]*?-->|<!\[CDATA\[|\]\]>/g, '') };
  });
}

// Reads the .dat format: "#data" is followed by the markup, up to the next line that begins with
// "#".
function html5libCases(): { name: string; html: string }[] {
  const folder = corpusPath('html/html5lib-tests');
  return readdirSync(folder)
    .filter(name => name.endsWith('.dat'))
    .flatMap(name =>
      readFileSync(join(folder, name), 'utf8')
        .split(/^#data\n/m)
        .slice(1)
        .map((block, index) => ({
          name: `${name} ${index}`,
          html: block.split(/^#(?:errors|document)/m)[0] ?? '',
        })),
    );
}

/** Returns cases by corpus; empty when the corpora are absent. */
export function htmlCorpora(): Record<string, { name: string; html: string }[]> {
  if (!hasCorpora) return {};
  return {
    dompurify: jsonCases('dompurify-expect.json'),
    html5sec: jsonCases('html5sec-even.json'),
    'sanitize-html': jsonCases('sanitize-html.json'),
    antisamy: jsonCases('owasp-antisamy.json'),
    bulwark: jsonCases('bulwark-email-sanitization.json'),
    feedparser: feedCases(),
    html5lib: html5libCases(),
  };
}
