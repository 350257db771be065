/**
 * The catalog files of the web client and their format (sorted by key, by code units). Does not
 * interpret the messages.
 */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { languages, SOURCE_LANGUAGE } from '../../apps/web/src/lib/languages.ts';
import { root } from '../run-command.mjs';
import { readProjectFile } from '../source-files.mjs';

const LOCALES = 'apps/web/src/locales';
export const TEMPLATE = `${LOCALES}/keyfold.pot`;
export const DESCRIPTIONS = `${LOCALES}/descriptions.json`;

/** Languages whose translation is still expected. All others in the table must have a catalog. */
export const AWAITED = [];

export const compareKeys = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/** All languages except English. */
export const translatedLanguages = Object.keys(languages).filter(code => code !== SOURCE_LANGUAGE);

export const catalogFile = code => `${LOCALES}/${code}.json`;

/** Returns the languages that have a catalog, sorted, including those missing from the table. */
export const catalogCodes = (base = root) =>
  readdirSync(path.join(base, LOCALES))
    .filter(name => name.endsWith('.json') && name !== path.basename(DESCRIPTIONS))
    .map(name => name.slice(0, -'.json'.length))
    .sort(compareKeys);

/** Returns catalogs missing from the table and table entries without a catalog. */
export function findLanguageProblems(codes, known = translatedLanguages, awaited = AWAITED) {
  return [
    ...codes
      .filter(code => !known.includes(code))
      .map(code => `${catalogFile(code)} has no entry in apps/web/src/lib/languages.ts`),
    ...known
      .filter(code => !codes.includes(code) && !awaited.includes(code))
      .map(code => `apps/web/src/lib/languages.ts has “${code}”, but ${catalogFile(code)} is missing`),
  ];
}

/** @returns {Record<string, string>} the messages of a file; empty if there is no such file */
export const readMessages = (file, base = root) =>
  existsSync(path.join(base, file)) ? JSON.parse(readProjectFile(file, base)) : {};

/** Returns the content of a catalog file. */
export const writeMessages = messages =>
  `${JSON.stringify(
    Object.fromEntries(Object.entries(messages).sort(([a], [b]) => compareKeys(a, b))),
    null,
    2,
  )}\n`;
