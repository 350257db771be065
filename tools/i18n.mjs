/**
 * The catalogs of the web client for translators (docs/adr/0011-sentences-as-message-keys.md).
 *
 *   npm run i18n:extract                    writes the template keyfold.pot, sorts the catalogs, and reports missing messages
 *   npm run i18n:export -- de [file.po]     writes the PO file of a language
 *   npm run i18n:import -- file.po          imports one; any problem in it leaves everything unchanged
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { languages, matchLanguage } from '../apps/web/src/lib/languages.ts';
import { findCatalogProblems, readClient } from './checks/translations.mjs';
import {
  catalogCodes,
  catalogFile,
  DESCRIPTIONS,
  readMessages,
  TEMPLATE,
  translatedLanguages,
  writeMessages,
} from './i18n/catalogs.mjs';
import { readPo, writePo } from './i18n/po-files.mjs';
import { root } from './run-command.mjs';

const USAGE = 'Usage: npm run i18n:extract | i18n:export -- LANGUAGE [FILE] | i18n:import -- FILE';

const write = (file, text, base) => writeFileSync(path.join(base, file), text);

/** Returns the missing and unused messages of each language as report lines. */
function reportOf(keys, base) {
  const codes = catalogCodes(base);
  return translatedLanguages.flatMap(code => {
    if (!codes.includes(code)) return [`${code}: no catalog yet`];
    const problems = findCatalogProblems(`${code}.json`, readMessages(catalogFile(code), base), keys);
    return problems.length === 0
      ? [`${code}: complete`]
      : [`${code}: ${problems.length} problems`, ...problems.map(one => `  ${one}`)];
  });
}

/** Writes the template, sorts the catalogs and returns the report. */
export function extract(base = root) {
  const { keys, messages } = readClient(base);
  write(TEMPLATE, writePo(messages.values(), readMessages(DESCRIPTIONS, base)), base);
  for (const file of [...catalogCodes(base).map(catalogFile), DESCRIPTIONS])
    write(file, writeMessages(readMessages(file, base)), base);
  return [`${TEMPLATE}: ${keys.size} messages`, ...reportOf(keys, base)];
}

/** Returns the PO file of a language with its existing translations. */
export function exportPo(code, base = root) {
  if (!translatedLanguages.includes(code))
    throw new Error(`Unknown language “${code}”. Known: ${translatedLanguages.join(', ')}`);
  const { messages } = readClient(base);
  return writePo(
    messages.values(),
    readMessages(DESCRIPTIONS, base),
    code,
    readMessages(catalogFile(code), base),
  );
}

/**
 * Imports a PO file into its catalog. Messages missing from the file keep their translation;
 * messages that the file has without a translation lose it.
 * @throws Error with one line per problem; no file is changed then.
 */
export function importPo(content, base = root) {
  const { messages } = readClient(base);
  const { language, catalog, empty, problems } = readPo(content, messages, tag =>
    matchLanguage(tag, translatedLanguages),
  );
  if (problems.length > 0) throw new Error(['Nothing was imported:', ...problems].join('\n  '));
  const before = Object.entries(readMessages(catalogFile(language), base));
  const kept = before.filter(([key]) => messages.has(key) && !empty.includes(key));
  write(catalogFile(language), writeMessages({ ...Object.fromEntries(kept), ...catalog }), base);
  const { name } = languages[language];
  return `${name}: ${Object.keys(catalog).length} messages imported, ${empty.length} without a translation`;
}

/** @param {string[]} words */
function run(words) {
  const [command, ...names] = words;
  if (command === 'extract') return extract().join('\n');
  if (command === 'export' && names[0] !== undefined) {
    const file = names[1] ?? `${names[0]}.po`;
    writeFileSync(file, exportPo(names[0]));
    return `Wrote ${file}`;
  }
  if (command === 'import' && names[0] !== undefined) return importPo(readFileSync(names[0], 'utf8'));
  throw new Error(USAGE);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  try {
    console.log(run(process.argv.slice(2)));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
