/**
 * Compares a translated message with its English source: placeholders, select cases, and the plural
 * forms of its language (CLDR, from Intl.PluralRules). Reads no files.
 */
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';

/**
 * Largest whole number whose plural form is required. French and Spanish have a form for millions,
 * which `other` covers.
 */
const LARGEST_COUNT = 999;

/**
 * Returns the placeholder names of a message, including those inside its cases, sorted and unique;
 * null if braces are unbalanced.
 */
export function namesIn(message) {
  const names = new Set();
  const argument = /^\{\s*([^\s,{}]+)\s*(?:,\s*\w+\s*,|\})/;
  let depth = 0;
  const kinds = [];
  for (let at = 0; at < message.length; at++) {
    if (message[at] === '}') {
      depth -= 1;
      kinds.pop();
    } else if (message[at] === '{') {
      // Directly inside a choice, a brace begins a case; elsewhere it begins a name.
      const isCase = kinds.at(-1) === 'choice';
      const head = isCase ? null : argument.exec(message.slice(at));
      if (head !== null) names.add(head[1]);
      kinds.push(isCase ? 'case' : head?.[0].endsWith(',') ? 'choice' : 'name');
      depth += 1;
    }
  }
  return depth === 0 ? [...names].sort() : null;
}

/**
 * Parses an ICU message: its names, its plurals and selects, and arguments of kinds that the client
 * does not support. Throws if the message is not valid ICU.
 * @typedef {{ name: string, kind: 'plural' | 'selectordinal' | 'select', cases: string[] }} Choice
 */
export function readMessage(message) {
  const names = new Set();
  /** @type {Choice[]} */
  const choices = [];
  const unread = [];
  const walk = parts => {
    for (const part of parts) {
      if (!Array.isArray(part)) continue;
      const [name, kind, detail] = part;
      names.add(name);
      if (kind === undefined) continue;
      if (!['plural', 'selectordinal', 'select'].includes(kind)) {
        unread.push(`{${name}, ${kind}}`);
        continue;
      }
      const { offset, ...cases } = detail;
      if (offset) unread.push(`{${name}, ${kind}, offset:${offset}}`);
      choices.push({ name, kind, cases: Object.keys(cases) });
      Object.values(cases).forEach(walk);
    }
  };
  walk(compileMessageOrThrow(message));
  return { names: [...names].sort(), choices, unread };
}

const rules = (language, kind) =>
  new Intl.PluralRules(language, { type: kind === 'selectordinal' ? 'ordinal' : 'cardinal' });

/** @type {Map<string, string[]>} */
const formsByCount = new Map();

/** Returns the plural form of each number from 0 to LARGEST_COUNT. */
function formsOf(language, kind) {
  const key = `${language} ${kind}`;
  let forms = formsByCount.get(key);
  if (forms === undefined) {
    const plurals = rules(language, kind);
    forms = Array.from({ length: LARGEST_COUNT + 1 }, (_, count) => plurals.select(count));
    formsByCount.set(key, forms);
  }
  return forms;
}

/**
 * Returns the plural forms missing in `language`. A number with its own case (`=1`) needs no form,
 * and zero may use `other` where only zero has a form, as in Arabic.
 */
export function missingForms(language, kind, cases) {
  const needed = new Set(['other']);
  formsOf(language, kind).forEach((form, count) => {
    if (count > 0 && !cases.includes(String(count))) needed.add(form);
  });
  return [...needed].filter(form => !cases.includes(form));
}

/** Returns the cases of a plural that `language` never uses. */
export function foreignForms(language, kind, cases) {
  const known = rules(language, kind).resolvedOptions().pluralCategories;
  return cases.filter(one => !/^\d+$/.test(one) && !known.some(form => form === one));
}

/** Returns the cases of selects by name, merging several selects on the same name. */
function selectCases(choices) {
  /** @type {Map<string, Set<string>>} */
  const byName = new Map();
  for (const { name, kind, cases } of choices) {
    if (kind !== 'select') continue;
    const known = byName.get(name) ?? new Set();
    for (const one of cases) known.add(one);
    byName.set(name, known);
  }
  return byName;
}

const listOf = cases => [...(cases ?? [])].sort().join(', ') || 'none';

/**
 * Returns the syntax that the client does not support, as ends of sentences that begin with the
 * message.
 */
export function findSyntaxProblems(text) {
  try {
    return readMessage(text).unread.map(argument => `has ${argument}, which the client does not support`);
  } catch (error) {
    return [`is not an ICU message: ${error.message.split('\n')[0]}`];
  }
}

/**
 * Returns problems of a translation in its language. English may have fewer forms if its words are
 * the same.
 */
export function findFormProblems(text, language) {
  const problems = findSyntaxProblems(text);
  if (problems.length > 0) return problems;
  const message = readMessage(text);
  if (message.names.join() !== namesIn(text)?.join())
    problems.push('has an apostrophe before a brace, which hides the brace; use ’');
  for (const { name, kind, cases } of message.choices) {
    if (kind === 'select') {
      if (!cases.includes('other')) problems.push(`lacks the case “other” of {${name}}`);
      continue;
    }
    const missing = missingForms(language, kind, cases);
    if (missing.length > 0) problems.push(`lacks the plural forms ${missing.join(', ')} of {${name}}`);
    const foreign = foreignForms(language, kind, cases);
    if (foreign.length > 0)
      problems.push(
        `has the plural forms ${foreign.join(', ')} of {${name}}, which ${language} does not use`,
      );
  }
  return problems;
}

/**
 * Returns problems of a translation compared with its English source, as ends of sentences that
 * begin with the message.
 */
export function findTranslationProblems(english, text, language) {
  const [wanted, has] = [namesIn(english)?.join(', '), namesIn(text)?.join(', ')];
  if (wanted !== has) return [`has different placeholders: ${has || 'none'} instead of ${wanted || 'none'}`];
  const problems = findFormProblems(text, language);
  if (problems.length > 0) return problems;
  const [ours, theirs] = [english, text].map(one => selectCases(readMessage(one).choices));
  for (const name of new Set([...ours.keys(), ...theirs.keys()])) {
    const [english, translated] = [ours, theirs].map(cases => listOf(cases.get(name)));
    if (english !== translated)
      problems.push(`has different cases of {${name}}: ${translated} instead of ${english}`);
  }
  return problems;
}
