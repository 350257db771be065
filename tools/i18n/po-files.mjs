/**
 * Writes catalogs as gettext files for translation tools (the template and one file per language)
 * and reads them back. Messages in msgid and msgstr remain ICU; msgctxt distinguishes two meanings
 * of the same words.
 */
import { po } from 'gettext-parser';
import { compareKeys } from './catalogs.mjs';
import { findTranslationProblems } from './icu.mjs';

/**
 * One message of the client.
 * @typedef {{ key: string, meaning: string, text: string, files: string[] }} Message
 */

/** Never folds lines, so that a changed word changes one line. */
const FORM = { foldLength: 0 };

/**
 * Returns the PO file of a language, or the template without a language. Contains no dates and no
 * line numbers, so that it changes only with the messages.
 * @param {Iterable<Message>} messages
 */
export function writePo(messages, descriptions, language = '', catalog = {}) {
  const translations = { '': { '': { msgid: '', msgstr: [''] } } };
  for (const { key, meaning, text, files } of [...messages].sort((a, b) => compareKeys(a.key, b.key))) {
    translations[meaning] ??= {};
    translations[meaning][text] = {
      ...(meaning === '' ? {} : { msgctxt: meaning }),
      msgid: text,
      msgstr: [catalog[key] ?? ''],
      comments: { extracted: descriptions[key] ?? '', reference: [...files].sort(compareKeys).join('\n') },
    };
  }
  const headers = {
    'Project-Id-Version': 'Keyfold',
    Language: language.replaceAll('-', '_'),
    'MIME-Version': '1.0',
    'Content-Type': 'text/plain; charset=UTF-8',
    'Content-Transfer-Encoding': '8bit',
    'X-Message-Format': 'ICU',
  };
  const keyOf = ({ msgctxt = '', msgid }) => (msgctxt === '' ? msgid : `${msgctxt}|${msgid}`);
  const sort = (a, b) => compareKeys(keyOf(a), keyOf(b));
  return po.compile({ charset: 'utf-8', headers, translations }, { ...FORM, sort }).toString('utf8');
}

/** Returns the language tag in a file's header. */
const languageOf = headers => (headers.Language ?? '').trim().replaceAll('_', '-');

/** Returns the problems of one entry that translates `message`. */
function findEntryProblems({ msgid, msgid_plural, msgstr, comments }, message, language) {
  if (message === undefined) return ['is not a message of the client'];
  if (msgid_plural) return ['has a msgid_plural; use ICU plurals inside of msgstr'];
  if (/\bfuzzy\b/.test(comments?.flag ?? '')) return ['is marked fuzzy; review it first'];
  return msgstr[0] === '' ? [] : findTranslationProblems(msgid, msgstr[0], language);
}

/**
 * Returns the translations of a file, without entries that have no translation. `problems` has one
 * line per problem.
 * @param {string} content
 * @param {Map<string, Message>} messages
 * @param {(tag: string) => string | undefined} findLanguage
 * @returns
 * {{ language: string, catalog: Record<string, string>, empty: string[], problems: string[] }}
 */
export function readPo(content, messages, findLanguage) {
  let file;
  try {
    file = po.parse(content, { validation: true });
  } catch (error) {
    return { language: '', catalog: {}, empty: [], problems: [`Not a PO file: ${error.message}`] };
  }
  const tag = languageOf(file.headers);
  const language = findLanguage(tag) ?? '';
  if (language === '')
    return { language, catalog: {}, empty: [], problems: [`Unknown language in the header: “${tag}”`] };
  const catalog = {};
  const empty = [];
  const problems = [];
  for (const [context, entries] of Object.entries(file.translations))
    for (const entry of Object.values(entries)) {
      if (context === '' && entry.msgid === '') continue;
      const key = context === '' ? entry.msgid : `${context}|${entry.msgid}`;
      const found = findEntryProblems(entry, messages.get(key), language);
      problems.push(...found.map(problem => `“${key}” ${problem}`));
      if (entry.msgstr[0] === '') empty.push(key);
      else catalog[key] = entry.msgstr[0];
    }
  return { language, catalog, empty, problems };
}
