// Cases of the hostile HTML corpora next to the checkout, as messages: every text of their files
// that contains markup, many per message. Without the corpora there are no cases, and the tests
// that use them say so.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../../../../shared/data/html/', import.meta.url));

export const hasCorpora = existsSync(folder);
export const noCorpora = 'skipped: ../shared/data/html is not there';

const CASES_PER_MAIL = 60;
const MAX_CASE_CHARACTERS = 20_000;

function textsIn(value: unknown, found: Set<string>): void {
  if (typeof value === 'string') {
    if (value.includes('<') && value.length <= MAX_CASE_CHARACTERS) found.add(value);
  } else if (Array.isArray(value)) for (const item of value) textsIn(item, found);
  else if (typeof value === 'object' && value !== null)
    for (const item of Object.values(value)) textsIn(item, found);
}

function casesOf(name: string): readonly string[] {
  const file = path.join(folder, name);
  const found = new Set<string>();
  if (statSync(file).isDirectory()) {
    for (const inner of readdirSync(file)) textsIn(readFileSync(path.join(file, inner), 'utf8'), found);
  } else textsIn(JSON.parse(readFileSync(file, 'utf8')), found);
  return [...found];
}

/**
 * The corpora that are opened in the viewer; the others go through the same sanitizer and frame in
 * packages/mail/browser.
 */
export const corpusNames = [
  'dompurify-expect.json',
  'html5sec-even.json',
  'sanitize-html.json',
  'owasp-antisamy.json',
  'bulwark-email-sanitization.json',
  'feedparser-sanitize',
] as const;

/**
 * Returns a corpus as the HTML of messages. `canary` is an origin that must not receive any
 * request; `run` is script that must not run.
 */
export function corpusMails(name: (typeof corpusNames)[number], canary: string, run: string): string[] {
  const cases = casesOf(name).map(text =>
    text.replaceAll('{{H}}', canary).replaceAll('{{HOST}}', new URL(canary).host).replaceAll('{{C}}', run),
  );
  const mails: string[] = [];
  for (let start = 0; start < cases.length; start += CASES_PER_MAIL) {
    const some = cases.slice(start, start + CASES_PER_MAIL).map(text => `<div class="case">${text}</div>`);
    mails.push(`<p>The start of the cases</p>${some.join('\n')}`);
  }
  return mails;
}
