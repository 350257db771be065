/**
 * Every document that a document or a comment names is there, and so is the heading that a link leads to. Looks at links of
 * Markdown and at paths below docs/ in sources; what stands in the product's texts and in other sites' addresses is not ours.
 */
import path from 'node:path';
import { isSourceFile, isTestFile, listProjectFiles, readProjectFile } from '../source-files.mjs';

const LINK = /\[[^\]]*\]\(([^()\s]+(?:\([^()]*\))?[^()\s]*)\)/g;
/** A path with its ending, or a decision by its number alone. */
const DOC_IN_SOURCE = /\bdocs\/(?:[\w./-]+\.(?:md|json|sql)(?:#[\w-]+)?|adr\/\d{4}(?![\w-]))/g;

/** A heading as Markdown hosts name it in a link. */
export const anchorOf = heading =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*_]/g, '')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

/** Text without blocks of code, whose brackets are no links and whose number signs are no headings. */
const withoutBlocks = text => text.replace(/^(```|~~~)[\s\S]*?^\1/gm, '');

/** Every anchor of a document; a heading that comes again has a number. */
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

/** What a file names: { target, anchor } with paths from the root. */
export function findCitations(file, text) {
  if (!file.endsWith('.md')) {
    return [...text.matchAll(DOC_IN_SOURCE)].map(([cited]) => {
      const [target, anchor] = cited.split('#');
      return { target, anchor };
    });
  }
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

/** Citations that lead nowhere; `texts` has every file, `exists` knows folders too. */
export function findDeadCitations(texts, exists) {
  const problems = [];
  for (const [file, text] of Object.entries(texts)) {
    for (const { target, anchor } of findCitations(file, text)) {
      if (!exists(target)) problems.push(`${file} names ${target}, which is not there.`);
      else if (anchor && target.endsWith('.md') && !anchorsOf(texts[target] ?? '').has(anchor))
        problems.push(`${file} names ${target}#${anchor}: there is no such heading.`);
    }
  }
  return problems;
}

export function checkDocLinks() {
  const files = listProjectFiles();
  const known = new Set(files.flatMap(file => [file, ...parentsOf(file), ...decisionOf(file)]));
  // Tests of tools name documents that they make up.
  const read = files.filter(
    file => file.endsWith('.md') || (isSourceFile(file) && !(file.startsWith('tools/') && isTestFile(file))),
  );
  const texts = Object.fromEntries(read.map(file => [file, readProjectFile(file)]));
  return findDeadCitations(texts, place => known.has(place.replace(/\/$/, '')) || place === '.');
}

/** A decision's record without its title, as comments name it. */
const decisionOf = file => /^docs\/adr\/\d{4}/.exec(file) ?? [];

/** The folders above a file. */
function parentsOf(file) {
  const parts = file.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
