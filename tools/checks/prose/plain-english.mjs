/**
 * Plain English in everything that people read (STYLE.md, "Prose"): the patterns of rules.mjs in
 * the texts of texts.mjs. tools/prose-exceptions.json lists what the specification or a standard
 * words like that; tools/prose-counts.json, how many faults each file still has. No tool judges
 * tone: a text without a fault is not yet a good one.
 */
import { listProjectFiles, readProjectFile } from '../../source-files.mjs';
import { findCountProblems } from './counts.mjs';
import { PROSE_RULES } from './rules.mjs';
import { readProse } from './texts.mjs';

export const PROSE_COUNTS = 'tools/prose-counts.json';
const EXCEPTIONS = 'tools/prose-exceptions.json';
const NO_TEXT = /\.(png|ico|jar|pdf|kfa1|woff2)$/;

/**
 * Words that are right in some files. A name of `files` that ends in `/` is a folder.
 * @typedef {{ files: string[], words: string[], reason: string }} ProseException
 */

const isCovered = (file, { files }) =>
  files.some(one => (one.endsWith('/') ? file.startsWith(one) : file === one));

/**
 * Every fault of one file: its line, the words, and what to write instead.
 * @returns {{ words: string, message: string }[]}
 */
export function findProseFaults(file, source) {
  const faults = [];
  for (const { kind, start, text } of readProse(file, source).filter(one => one.kind !== 'name'))
    for (const { pattern, why, instead } of PROSE_RULES)
      for (const { 0: found, index } of text.matchAll(pattern)) {
        const words = found.replace(/[\s*/]+/g, ' ').trim();
        const line = source.slice(0, start + index).split('\n').length;
        faults.push({
          line,
          words,
          message: `${file}:${line}: “${words}” in a ${kind}: ${why}; write ${instead}`,
        });
      }
  return faults.sort((a, b) => a.line - b.line);
}

/** Whether files have a fault with one of the words. */
const isUsed = (found, { files }, words) =>
  Object.entries(found).some(
    ([file, all]) => isCovered(file, { files }) && all.some(one => words.includes(one.words.toLowerCase())),
  );

/**
 * Splits faults by whether an exception allows their words. Exceptions that lack a reason, or allow
 * what is not there, are problems themselves.
 * @param {Record<string, { words: string, message: string }[]>} found by file
 * @param {ProseException[]} exceptions
 */
export function applyExceptions(found, exceptions) {
  /** @type {Record<string, string[]>} */
  const faults = {};
  for (const [file, all] of Object.entries(found)) {
    const allowed = new Set(exceptions.flatMap(one => (isCovered(file, one) ? one.words : [])));
    const left = all.filter(({ words }) => !allowed.has(words.toLowerCase()));
    if (left.length > 0) faults[file] = left.map(({ message }) => message);
  }
  const needless = exceptions.flatMap(({ files, words, reason }) => [
    ...(reason ? [] : [`${EXCEPTIONS}: the entry of ${files.join(', ')} gives no reason`]),
    ...files
      .filter(name => !isUsed(found, { files: [name] }, words))
      .map(name => `${EXCEPTIONS}: ${name} needs no exception. Remove it.`),
    ...words
      .filter(word => !isUsed(found, { files }, [word]))
      .map(word => `${EXCEPTIONS}: “${word}” is not in ${files.join(', ')}. Remove it.`),
  ]);
  return { faults, needless };
}

/** Faults of the project by file, without the exceptions, and exceptions that nothing needs. */
function judgeProject() {
  const files = listProjectFiles().filter(file => !NO_TEXT.test(file));
  const found = Object.fromEntries(files.map(file => [file, findProseFaults(file, readProjectFile(file))]));
  return applyExceptions(found, JSON.parse(readProjectFile(EXCEPTIONS)));
}

/** How many faults each file has now. */
export const countProseFaults = () =>
  Object.fromEntries(Object.entries(judgeProject().faults).map(([file, { length }]) => [file, length]));

export function checkPlainEnglish() {
  const { faults, needless } = judgeProject();
  const allowed = JSON.parse(readProjectFile(PROSE_COUNTS));
  const left = Object.values(allowed).reduce((sum, count) => sum + count, 0);
  return {
    problems: [...needless, ...findCountProblems(faults, allowed, PROSE_COUNTS)],
    note: left === 0 ? '' : `${left} faults left`,
  };
}
