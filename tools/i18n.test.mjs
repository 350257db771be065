import { describe, expect, test } from 'vitest';
import { findTranslationProblems, readClient } from './checks/translations.mjs';
import {
  catalogCodes,
  catalogFile,
  findLanguageProblems,
  readMessages,
  translatedLanguages,
  writeMessages,
} from './i18n/catalogs.mjs';
import { findFormProblems, findTranslationProblems as problemsOf } from './i18n/icu.mjs';
import { readPo, writePo } from './i18n/po-files.mjs';
import { exportPo, importPo } from './i18n.mjs';
import { readProjectFile } from './source-files.mjs';

const client = readClient();
const plural = '{count, plural, one {# mail} other {# mails}}';
const messages = new Map(
  [
    { key: 'verb|Send', meaning: 'verb', text: 'Send', files: ['b.tsx', 'a.tsx'] },
    { key: 'Hello "{name}"', meaning: '', text: 'Hello "{name}"', files: ['a.tsx'] },
    { key: 'Two\nlines', meaning: '', text: 'Two\nlines', files: ['a.tsx'] },
    { key: plural, meaning: '', text: plural, files: ['a.tsx'] },
  ].map(one => [one.key, one]),
);
const findLanguage = tag => (translatedLanguages.includes(tag) ? tag : undefined);
const fileOf = (entries, language = 'de') =>
  `msgid ""\nmsgstr ""\n"Language: ${language}\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n${entries}\n`;
const read = (entries, language) => readPo(fileOf(entries, language), messages, findLanguage);

describe('files for translators', () => {
  test('the template has the sorted messages with meaning, description and files, and no translation', () => {
    const template = writePo(messages.values(), { 'verb|Send': 'Button of the composer' });
    expect(template.slice(template.indexOf('\n\n'))).toBe(`

#: a.tsx
msgid "Hello \\"{name}\\""
msgstr ""

#: a.tsx
msgid ""
"Two\\n"
"lines"
msgstr ""

#: a.tsx
#: b.tsx
#. Button of the composer
msgctxt "verb"
msgid "Send"
msgstr ""

#: a.tsx
msgid "${plural}"
msgstr ""
`);
    expect(writePo([...messages.values()].reverse(), { 'verb|Send': 'Button of the composer' })).toBe(
      template,
    );
  });

  test('a written file is read back with the same translations', () => {
    const catalog = {
      'verb|Send': 'Senden',
      'Hello "{name}"': 'Hallo „{name}“',
      'Two\nlines': 'Zwei\n\tZeilen',
    };
    const file = writePo(messages.values(), {}, 'de', catalog);
    expect(file).toContain('"Language: de\\n"');
    expect(file).not.toContain('fuzzy');
    const back = readPo(file, messages, findLanguage);
    expect(back).toEqual({ language: 'de', catalog, empty: [plural], problems: [] });
  });

  test.each(catalogCodes())('%s: export and import keep the catalog byte for byte', code => {
    const { messages } = client;
    const file = writePo(messages.values(), {}, code, readMessages(catalogFile(code)));
    const { catalog, problems } = readPo(file, messages, findLanguage);
    expect(problems).toEqual([]);
    expect(writeMessages(catalog)).toBe(readProjectFile(catalogFile(code)));
  });

  test.each([
    ['msgid "Unknown"\nmsgstr "Unbekannt"', '“Unknown” is not a message of the client'],
    ['msgctxt "noun"\nmsgid "Send"\nmsgstr "x"', '“noun|Send” is not a message of the client'],
    ['#, fuzzy\nmsgctxt "verb"\nmsgid "Send"\nmsgstr "x"', '“verb|Send” is marked fuzzy; review it first'],
    [
      'msgid "Hello \\"{name}\\""\nmsgstr "Hallo {nome}"',
      '“Hello "{name}"” has different placeholders: nome instead of name',
    ],
    [
      `msgid "${plural}"\nmsgstr "{count, plural, other {# Mails}}"`,
      `“${plural}” lacks the plural forms one of {count}`,
    ],
  ])('a wrong entry is reported: %s', (entry, problem) => {
    expect(read(entry).problems).toEqual([problem]);
  });

  test('a file for an unknown language, and one that is not a PO file, are refused', () => {
    expect(read('', 'sv').problems).toEqual(['Unknown language in the header: “sv”']);
    expect(readPo('msgid "open', messages, findLanguage).problems[0]).toMatch(/^Not a PO file: /);
    expect(() => exportPo('sv')).toThrow('Unknown language “sv”');
  });

  test('an import with a problem changes nothing', () => {
    const before = readProjectFile(catalogFile('de'));
    const [key] = Object.keys(readMessages(catalogFile('de')));
    const entries = `msgid "${key}"\nmsgstr "Changed"\n\nmsgid "Unknown"\nmsgstr "x"`;
    expect(() => importPo(fileOf(entries))).toThrow(/^Nothing was imported:\n {2}“Unknown” is not a message/);
    expect(readProjectFile(catalogFile('de'))).toBe(before);
  });
});

describe('message forms', () => {
  test.each([
    ['de', ['one', 'other'], ['one'], ['few']],
    ['pl', ['one', 'few', 'many', 'other'], ['few'], ['two']],
    ['ar', ['one', 'two', 'few', 'many', 'other'], ['two'], []],
    // Their form for millions is covered by `other`.
    ['pt-BR', ['one', 'other'], ['one'], ['few']],
    ['it', ['one', 'other'], ['one'], ['few']],
    ['ja', ['other'], [], ['one']],
    ['zh-Hans', ['other'], [], ['one']],
  ])('%s needs exactly its own plural forms', (language, needed, missing, foreign) => {
    const write = forms => `{n, plural, ${forms.map(form => `${form} {#}`).join(' ')}}`;
    expect(findFormProblems(write(needed), language)).toEqual([]);
    const lacking = needed.filter(form => !missing.includes(form));
    for (const form of missing)
      expect(findFormProblems(write(lacking), language)).toEqual([`lacks the plural forms ${form} of {n}`]);
    for (const form of foreign)
      expect(findFormProblems(write([...needed, form]), language)).toEqual([
        `has the plural forms ${form} of {n}, which ${language} does not use`,
      ]);
  });

  test('an exact number replaces a form that covers only that number', () => {
    expect(findFormProblems('{n, plural, =1 {one} other {#}}', 'de')).toEqual([]);
    expect(findFormProblems('{n, plural, =1 {one} other {#}}', 'fr')).toEqual([]);
    expect(findFormProblems('{n, plural, =1 {one} few {#} many {#} other {#}}', 'pl')).toEqual([]);
  });

  test('ordinals have their own forms', () => {
    expect(findFormProblems('{n, selectordinal, one {#st} other {#th}}', 'en')).toEqual([
      'lacks the plural forms two, few of {n}',
    ]);
    expect(findFormProblems('{n, selectordinal, other {#.}}', 'de')).toEqual([]);
  });

  test('a select has the cases of the English message', () => {
    const english = '{kind, select, mail {Mail} other {File}}';
    expect(problemsOf(english, '{kind, select, mail {Nachricht} other {Datei}}', 'de')).toEqual([]);
    for (const [translation, cases] of [
      ['{kind, select, other {Datei}}', 'other'],
      ['{kind, select, mails {Nachricht} other {Datei}}', 'mails, other'],
      ['{kind}', 'none'],
    ])
      expect(problemsOf(english, translation, 'de')).toEqual([
        `has different cases of {kind}: ${cases} instead of mail, other`,
      ]);
  });

  test('syntax that other tools or the client would read differently is reported', () => {
    expect(findFormProblems('l’{name}', 'fr')).toEqual([]);
    expect(findFormProblems("'{name}'", 'fr')[0]).toContain('apostrophe before a brace');
    expect(findFormProblems('{at, date, short}', 'de')[0]).toContain('which the client does not support');
    expect(findFormProblems('{n, plural, one {#} other {#}', 'de')[0]).toMatch(/^is not an ICU message/);
  });
});

test('a catalog outside the table, and an entry without a catalog, are reported', () => {
  expect(findLanguageProblems(['de', 'it'], ['de', 'it', 'ja'], ['it', 'ja'])).toEqual([]);
  expect(findLanguageProblems(['de', 'sv'], ['de', 'fr'], [])).toEqual([
    'apps/web/src/locales/sv.json has no entry in apps/web/src/lib/languages.ts',
    'apps/web/src/lib/languages.ts has “fr”, but apps/web/src/locales/fr.json is missing',
  ]);
});

test('the committed catalogs, descriptions and template are consistent', () => {
  expect(findTranslationProblems()).toEqual([]);
});
