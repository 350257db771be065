/**
 * Checks that every document cited by a document or a comment exists in the repository, and so does
 * the cited heading or table row. Reads Markdown links and, in sources, paths below docs/ and all
 * other names of Markdown files.
 */
import path from 'node:path';
import { isSourceFile, isTestFile, listProjectFiles, readProjectFile } from '../source-files.mjs';

const LINK = /\[[^\]]*\]\(([^()\s]+(?:\([^()]*\))?[^()\s]*)\)/g;
/** The gap between two words of a comment, which may include a line break. */
const GAP = String.raw`(?:\s|\n\s*(?:\/\/|\*))+`;
/**
 * A path with its extension, or a decision by its number alone. Headings (`#21 and #24`) or ids of
 * table rows (`2.01, 3`) may follow the path.
 */
const DOC_IN_SOURCE = new RegExp(
  String.raw`\bdocs\/(?:([\w./-]+\.(?:md|json|sql))((?:#[\w-]+(?:(?:,| and| to)${GAP}#[\w-]+)*)|(?:${GAP}\d+(?:\.\d+)?(?:,${GAP}\d+(?:\.\d+)?)*(?![\w.]*\w))(?=[,;:.)\s]))?|(adr\/\d{4})(?![\w-]))`,
  'g',
);
/** Documents whose statements have ids in the first column of a table. */
const NUMBERED = new Set(['docs/spec-map.md', 'docs/acceptance.md']);
/**
 * Any other Markdown file, by its path from the root or from a parent folder of the citing file.
 */
const OTHER_DOC = /(?<![\w/.-])(?!docs\/)[\w-]+(?:\/[\w-]+)*\.md\b/g;
/** Documents that never existed in the repository, as prose names them without a link. */
const STRANGE_DOC = /(?<![\w/.-])(?:api|protocol|readings|ux|spec|libraries|performance)\.md\b/g;
/**
 * Patterns that cite texts outside the repository, each with what to cite instead.
 * @type {[RegExp, string][]}
 */
const OUTSIDE = [
  [/\b[Ss]pec(?:ification)?\s+(?:§|sections?\s\d)/, 'docs/spec-map.md and an id'],
  [/\b[Rr]eadings\s+\d/, 'docs/interpretations.md and its number'],
  [/\bux\s+(?:§|section\b|"|\d)/, 'docs/interface.md and a heading, or docs/acceptance.md and a number'],
];

/** Returns the anchor that Markdown hosts give a heading. */
export const anchorOf = heading =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*_]/g, '')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

/** Removes code blocks, whose brackets are not links and whose number signs are not headings. */
const withoutBlocks = text => text.replace(/^(```|~~~)[\s\S]*?^\1/gm, '');

/** Returns every anchor of a document; a repeated heading gets a number. */
export function anchorsOf(text) {
  const anchors = new Set();
  for (const [, heading] of withoutBlocks(text).matchAll(/^#{1,6} +(.+)$/gm)) {
    const anchor = anchorOf(heading);
    let name = anchor;
    for (let again = 1; anchors.has(name); again += 1) name = `${anchor}-${again}`;
    anchors.add(name);
  }
  return anchors;
}

/** Returns the ids of a document's table rows, with the numbers of its sections. */
const idsOf = text =>
  new Set(
    [...text.matchAll(/^(?:\| (\d+(?:\.\d+)?) \||## (\d+)\. )/gm)].map(([, row, section]) => row ?? section),
  );

/**
 * Returns the citations of a source: { target, anchor } or { target, id } with paths from the root.
 */
function findSourceCitations(text) {
  return [...text.matchAll(DOC_IN_SOURCE)].flatMap(([, file, places = '', decision]) => {
    const target = `docs/${file ?? decision}`;
    const anchors = [...places.matchAll(/#([\w-]+)/g)].map(([, anchor]) => ({ target, anchor }));
    if (anchors.length > 0) return anchors;
    const ids = NUMBERED.has(target) ? (places.match(/\d+(?:\.\d+)?/g) ?? []) : [];
    return ids.length > 0 ? ids.map(id => ({ target, id })) : [{ target, anchor: undefined }];
  });
}

/**
 * Returns the citations of a file: { target, anchor } with paths from the root, with an id instead
 * of an anchor where tables have ids.
 */
export function findCitations(file, text) {
  if (!file.endsWith('.md')) return findSourceCitations(text);
  return [
    ...withoutBlocks(text)
      .replace(/`[^`\n]*`/g, '')
      .matchAll(LINK),
  ].flatMap(([, link]) => {
    if (/^[a-z][a-z+.-]*:/i.test(link)) return [];
    const [target = '', anchor] = link.split('#');
    const place = target === '' ? file : path.posix.join(path.posix.dirname(file), target);
    return [{ target: place, anchor }];
  });
}

/** Returns the problem of one citation, or null. */
function findProblem({ target, anchor, id }, texts, exists) {
  if (!exists(target)) return `${target}, which does not exist.`;
  const text = texts[target] ?? '';
  if (anchor && target.endsWith('.md') && !anchorsOf(text).has(anchor))
    return `${target}#${anchor}, which has no such heading.`;
  return id && !idsOf(text).has(id) ? `${target} ${id}, which has no such row.` : null;
}

/**
 * Returns citations of documents outside the repository: Markdown files in sources, and the words
 * of OUTSIDE anywhere.
 */
export function findOutsideCitations(file, text, exists) {
  const named = file.endsWith('.md') ? STRANGE_DOC : OTHER_DOC;
  const docs = [...text.matchAll(named)].map(([name]) => name);
  return [
    ...docs
      .filter(name => !['', ...parentsOf(file)].some(folder => exists(path.posix.join(folder, name))))
      .map(name => `${file} cites ${name}, which is not in the repository.`),
    ...OUTSIDE.filter(([pattern]) => pattern.test(text)).map(
      ([pattern, instead]) =>
        `${file} cites "${pattern.exec(text)?.[0]}", which is not in the repository: cite ${instead}.`,
    ),
  ];
}

/** Returns the problems of the citations of one file. */
const findFileProblems = (file, text, texts, exists) => [
  ...findCitations(file, text).flatMap(citation => {
    const problem = findProblem(citation, texts, exists);
    return problem === null ? [] : [`${file} cites ${problem}`];
  }),
  ...findOutsideCitations(file, text, exists),
];

/** Returns citations with missing targets. `texts` has every file, `exists` also knows folders. */
export const findDeadCitations = (texts, exists) =>
  Object.entries(texts).flatMap(([file, text]) => findFileProblems(file, text, texts, exists));

/** Words that the check must reject, split so that this file does not cite them itself. */
const [MD, SPEC, DOCS] = ['.md', 'Spec', 'docs/'];
const CANARY = [
  `protocol${MD} §4`,
  `api${MD}, Mail`,
  `${SPEC} §7`,
  `${'readings'} 21`,
  `${'ux'} section 1`,
  `${DOCS}interpretations${MD}#0`,
  `${DOCS}spec-map${MD} 99.01`,
].map(cited => `// Why this is so (${cited}).`);

/** Returns canary comments that pass, which means that the check no longer detects anything. */
export const findSilentCanary = (texts, exists) =>
  CANARY.filter(text => findFileProblems('canary.ts', text, texts, exists).length === 0).map(
    text => `The check of citations accepts its canary: ${text}`,
  );

export function checkDocLinks() {
  const files = listProjectFiles();
  const known = new Set(files.flatMap(file => [file, ...parentsOf(file), ...decisionOf(file)]));
  // Tests of tools cite invented documents.
  const read = files.filter(
    file => file.endsWith('.md') || (isSourceFile(file) && !(file.startsWith('tools/') && isTestFile(file))),
  );
  const texts = Object.fromEntries(read.map(file => [file, readProjectFile(file)]));
  const exists = place => known.has(place.replace(/\/$/, '')) || place === '.';
  return [...findDeadCitations(texts, exists), ...findSilentCanary(texts, exists)];
}

/** Returns the path of a decision record without its title, as comments cite it. */
const decisionOf = file => /^docs\/adr\/\d{4}/.exec(file) ?? [];

/** Returns the folders above a file. */
function parentsOf(file) {
  const parts = file.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
