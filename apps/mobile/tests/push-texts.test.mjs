// The texts of notifications: in both projects as they were written, under the keys that the server names, in every language of
// the web client, and with its words where it has the same.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { pushTextFiles } from '../tools/push-texts.mjs';
import { mobileRoot, readJson, readText, readXml } from './project-files.mjs';

const texts = readJson('push-texts.json');
const languages = ['en', 'ar', 'de', 'es', 'fr'];
const at = file => path.join(mobileRoot, '../..', file);

test('both projects have them as they were written', () => {
  for (const [file, text] of pushTextFiles()) expect(readText(file), file).toBe(text);
});

test('every key that the server names is there, in every language', () => {
  const contract = readFileSync(at('packages/contract/src/calls/notifications.ts'), 'utf8');
  const [, list] = /PUSH_TYPES = \[([^\]]*)\]/.exec(contract);
  // What is only taken away has no text.
  const keys = [...list.matchAll(/'(\w+)'/g)]
    .map(([, type]) => `push_${type}`)
    .filter(key => key !== 'push_read');
  expect(Object.keys(texts)).toEqual(languages);
  const { name } = readJson('identity.json');
  const { strings } = readJson('ios/App/App/Localizable.xcstrings');
  for (const language of languages) {
    expect(Object.keys(texts[language]).sort()).toEqual(keys.sort());
    const folder = `android/app/src/main/res/values${language === 'en' ? '' : `-${language}`}`;
    const resources = readXml(`${folder}/push.xml`).resources[0].string;
    const android = Object.fromEntries(resources.map(one => [one.name, one['#text']]));
    expect(android).toEqual({ push_title: name, ...texts[language] });
    for (const key of ['push_title', ...keys])
      expect(strings[key].localizations[language].stringUnit.value, key).toBe(android[key]);
  }
});

test('they are the words of the web client where that shows the same', () => {
  const shared = { push_mail: 'New message', push_test: 'This is how a notification looks.' };
  for (const language of languages.filter(one => one !== 'en')) {
    const words = JSON.parse(readFileSync(at(`apps/web/src/locales/${language}.json`), 'utf8'));
    for (const [key, english] of Object.entries(shared)) {
      expect(texts.en[key]).toBe(english);
      expect(texts[language][key]).toBe(words[english]);
    }
    expect(texts[language].push_security).toBe(words[texts.en.push_security]);
  }
});
