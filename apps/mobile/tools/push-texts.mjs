/**
 * Writes the notification texts for both systems from push-texts.json and the app's name: string
 * resources for Android, a string catalog for Xcode. The server refers to them by key
 * (docs/adr/0040-push.md), and the system shows them before any page of the app runs. Run it after
 * a change of either; a test compares them.
 *
 *   npm run push-texts -w @keyfold/mobile
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { appleCatalog } from './apple-catalog.mjs';

const fileOf = name => fileURLToPath(new URL(`../${name}`, import.meta.url));
const readJson = name => JSON.parse(readFileSync(fileOf(name), 'utf8'));

/** Escapes a text for an Android resource. */
const androidText = text =>
  text
    .replace(/[\\'"]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/^[@?]/, '\\$&');

/**
 * The folder of a language's resources. Portuguese is without its region, so that phones in
 * Portugal show it as well; a script needs the long form.
 */
export function androidFolder(language) {
  if (language === 'en') return 'values';
  const { language: spoken, script } = new Intl.Locale(language);
  return script === undefined ? `values-${spoken}` : `values-b+${spoken}+${script}`;
}

function androidFile(language, texts) {
  const lines = Object.entries(texts).map(
    ([key, text]) => `    <string name="${key}">${androidText(text)}</string>\n`,
  );
  return [
    `android/app/src/main/res/${androidFolder(language)}/push.xml`,
    `<?xml version="1.0" encoding="utf-8"?>\n<!-- Made by tools/push-texts.mjs. -->\n<resources>\n${lines.join('')}</resources>\n`,
  ];
}

const appleFile = all => ['ios/App/App/Localizable.xcstrings', appleCatalog(all)];

/** Returns the files by their paths in the shell. */
export function pushTextFiles() {
  const { name } = readJson('identity.json');
  const all = Object.fromEntries(
    Object.entries(readJson('push-texts.json')).map(([language, texts]) => [
      language,
      { push_title: name, ...texts },
    ]),
  );
  return [...Object.entries(all).map(([language, texts]) => androidFile(language, texts)), appleFile(all)];
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  for (const [name, text] of pushTextFiles()) {
    mkdirSync(path.dirname(fileOf(name)), { recursive: true });
    writeFileSync(fileOf(name), text);
  }
