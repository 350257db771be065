/**
 * The import arrows of STYLE.md, checked over the whole tree: each import against boundary-rules.mjs, and five things
 * that only the whole graph shows (private-key code out of the server's reach, crypto out of the page's main thread, the
 * environment read in one place, cycles across files that Biome cannot follow through package entries, cycles between
 * features).
 *
 *   node tools/boundaries.mjs
 */
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { RULES, serverPlace } from './boundary-rules.mjs';
import { readGraph } from './import-graph.mjs';
import { root } from './run-command.mjs';
import { isSourceFile, isTestFile, listProjectFiles } from './source-files.mjs';

const CONFIG = 'apps/server/src/config/config.ts';
const SERVER_FEATURES = 'apps/server/src/features/';
const WEB_START = 'apps/web/src/main.tsx';
const PRIVATE_KEY_CODE = /^packages\/crypto\/src\/(vault|login)\.ts$/;

/**
 * True where process.env must not be read; the builders of packages/testing start whole products and may, and so may what
 * runs while the apps are packed.
 */
const isProductFile = file =>
  /^(apps|packages)\//.test(file) && !/^(packages\/testing|apps\/mobile\/tools)\//.test(file);

/** Files reached from the starts by imports that exist at run time, each with the import that first led to it. */
function reach(edges, starts) {
  const outgoing = new Map();
  for (const edge of edges) {
    if (edge.file && !edge.isType) outgoing.set(edge.from, [...(outgoing.get(edge.from) ?? []), edge]);
  }
  const reachedBy = new Map(starts.map(file => [file, null]));
  for (const file of reachedBy.keys()) {
    for (const edge of outgoing.get(file) ?? [])
      if (!reachedBy.has(edge.file)) reachedBy.set(edge.file, edge);
  }
  return reachedBy;
}

function findPrivateKeyReach(edges, files) {
  const starts = files.filter(file => file.startsWith('apps/server/src/') && !isTestFile(file));
  const found = [];
  for (const [file, edge] of reach(edges, starts)) {
    if (!PRIVATE_KEY_CODE.test(file) || !edge) continue;
    found.push({
      rule: 'server-private-keys',
      from: edge.from,
      line: edge.line,
      says: `the server's import graph reaches ${file}`,
    });
  }
  return found;
}

/** What the page itself may hold of crypto: names and texts, nothing that computes. Workers are other programs. */
function findMainThreadReach(edges, files) {
  const starts = files.filter(file => file === WEB_START);
  const inPage = edges.filter(edge => !edge.specifier.includes('?worker'));
  const found = [];
  for (const [file, edge] of reach(inPage, starts)) {
    const isCrypto =
      file.startsWith('packages/crypto/') && !/\/(params|errors|recovery-phrase)\.ts$/.test(file);
    if (!isCrypto || !edge || edge.from.startsWith('packages/crypto/')) continue;
    found.push({
      rule: 'main-thread-crypto',
      from: edge.from,
      line: edge.line,
      says: `${file} would run on the main thread of the web client`,
    });
  }
  return found;
}

/** Each import that closes a cycle of run-time imports, found by walking depth first. */
function findCycles(edges, files) {
  const outgoing = new Map(files.map(file => [file, []]));
  for (const edge of edges) if (edge.file && !edge.isType) outgoing.get(edge.from)?.push(edge);
  const state = new Map();
  const found = [];
  const walk = (file, trail) => {
    state.set(file, 'open');
    for (const edge of outgoing.get(file) ?? []) {
      if (state.get(edge.file) === 'open') {
        const loop = [...trail.slice(trail.indexOf(edge.file)), edge.file].join(' → ');
        found.push({
          rule: 'import-cycle',
          from: edge.from,
          line: edge.line,
          says: `imports go round: ${loop}`,
        });
      } else if (!state.has(edge.file)) walk(edge.file, [...trail, edge.file]);
    }
    state.set(file, 'done');
  };
  for (const file of files) if (!state.has(file)) walk(file, [file]);
  return found;
}

/**
 * Each import that closes a cycle between features of one district of the server, types like values. Between districts,
 * and between features of the web client, the tables of boundary-rules.mjs leave no cycle.
 */
function findFeatureCycles(edges) {
  const arrows = new Map();
  for (const edge of edges) {
    if (!edge.file || isTestFile(edge.from) || !edge.from.startsWith(SERVER_FEATURES)) continue;
    if (!edge.file.startsWith(SERVER_FEATURES)) continue;
    const [from, to] = [serverPlace(edge.from).feature, serverPlace(edge.file).feature];
    if (from !== to) arrows.set(from, (arrows.get(from) ?? new Map()).set(to, edge));
  }
  const reaches = (from, wanted, seen = new Set()) =>
    [...(arrows.get(from)?.keys() ?? [])].some(
      next => next === wanted || (!seen.has(next) && reaches(next, wanted, seen.add(next))),
    );
  return [...arrows].flatMap(([from, targets]) =>
    [...targets]
      .filter(([to]) => reaches(to, from))
      .map(([to, { from: file, line }]) => ({
        rule: 'feature-cycle',
        from: file,
        line,
        says: `${from} and ${to} use each other`,
      })),
  );
}

/** Every broken rule under a root: { rule, from, line, says }, sorted by place. */
export function findViolations(base, files) {
  const { edges, environment } = readGraph(base, files);
  const found = [];
  for (const edge of edges) {
    for (const rule of RULES) {
      if (rule.finds(edge))
        found.push({
          rule: rule.id,
          from: edge.from,
          line: edge.line,
          says: `${edge.specifier}: ${rule.says}`,
        });
    }
  }
  for (const { from, line } of environment) {
    if (from === CONFIG || isTestFile(from) || !isProductFile(from)) continue;
    found.push({
      rule: 'environment',
      from,
      line,
      says: 'process.env is read in config/config.ts and nowhere else',
    });
  }
  found.push(
    ...findPrivateKeyReach(edges, files),
    ...findMainThreadReach(edges, files),
    ...findCycles(edges, files),
    ...findFeatureCycles(edges),
  );
  return found.sort(
    (a, b) => a.from.localeCompare(b.from) || a.line - b.line || a.rule.localeCompare(b.rule),
  );
}

/** Problems for the list of checks, one line each. */
export function checkBoundaries() {
  const files = listProjectFiles().filter(file => isSourceFile(file) && /^(apps|packages)\//.test(file));
  return findViolations(root, files).map(({ rule, from, line, says }) => `${from}:${line}: ${rule}: ${says}`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const problems = checkBoundaries();
  for (const problem of problems) console.log(problem);
  process.exit(problems.length === 0 ? 0 : 1);
}
