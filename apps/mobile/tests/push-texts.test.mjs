// The texts of notifications: in both projects as they were written, under the keys that the server
// names, in every language, and with the words of the web client where it has the same.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { androidFolder, pushTextFiles } from '../tools/push-texts.mjs';
import { mobileRoot, readJson, readText, readXml } from './project-files.mjs';

const texts = readJson('push-texts.json');
const languages = Object.keys(texts);
const at = file => path.join(mobileRoot, '../..', file);

test('both projects contain the generated push texts unchanged', () => {
  for (const [file, text] of pushTextFiles()) expect(readText(file), file).toBe(text);
});

test('every language has a text for every key that the server sends', () => {
  const contract = readFileSync(at('packages/contract/src/calls/notifications.ts'), 'utf8');
  const [, list] = /PUSH_TYPES = \[([^\]]*)\]/.exec(contract);
  // Notifications that are only removed have no text.
  const keys = [...list.matchAll(/'(\w+)'/g)]
    .map(([, type]) => `push_${type}`)
    .filter(key => key !== 'push_read');
  const { name } = readJson('identity.json');
  const { strings } = readJson('ios/App/App/Localizable.xcstrings');
  for (const language of languages) {
    expect(Object.keys(texts[language]).sort()).toEqual(keys.sort());
    const resources = readXml(`android/app/src/main/res/${androidFolder(language)}/push.xml`).resources[0]
      .string;
    const android = Object.fromEntries(resources.map(one => [one.name, one['#text']]));
    expect(android).toEqual({ push_title: name, ...texts[language] });
    for (const key of ['push_title', ...keys])
      expect(strings[key].localizations[language].stringUnit.value, key).toBe(android[key]);
  }
});

test('Android folder names use the long form for scripts and omit them for regions', () => {
  expect(['en', 'de', 'pt-BR', 'zh-Hans'].map(androidFolder)).toEqual([
    'values',
    'values-de',
    'values-pt',
    'values-b+zh+Hans',
  ]);
});

test('push texts match those of the web client where both show the same', () => {
  const shared = { push_mail: 'New message', push_test: 'This is what a notification looks like.' };
  for (const language of languages) {
    const catalog = at(`apps/web/src/locales/${language}.json`);
    if (!existsSync(catalog)) continue;
    const words = JSON.parse(readFileSync(catalog, 'utf8'));
    for (const [key, english] of Object.entries(shared)) {
      expect(texts.en[key]).toBe(english);
      expect(texts[language][key]).toBe(words[english]);
    }
    expect(texts[language].push_security).toBe(words[texts.en.push_security]);
  }
});
