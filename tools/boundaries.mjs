/**
 * Checks the import rules of STYLE.md over the whole tree: each import against boundary-rules.mjs,
 * and five rules that need the whole graph (private-key code unreachable from the server, crypto
 * kept off the page's main thread, the environment read in one place, cycles across files that
 * Biome cannot follow through package entries, cycles between features).
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
 * True for files that must not read process.env. The builders of packages/testing start whole
 * products and may read it, and so may code that runs while the apps are packaged.
 */
const isProductFile = file =>
  /^(apps|packages)\//.test(file) && !/^(packages\/testing|apps\/mobile\/tools)\//.test(file);

/**
 * Returns the files reached from the starts by run-time imports, each with the import that first
 * led to it.
 */
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

/**
 * The page itself may use only names and text of crypto, nothing that computes. Workers are
 * separate programs.
 */
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

/** Returns each import that closes a cycle of run-time imports, found depth first. */
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
          says: `import cycle: ${loop}`,
        });
      } else if (!state.has(edge.file)) walk(edge.file, [...trail, edge.file]);
    }
    state.set(file, 'done');
  };
  for (const file of files) if (!state.has(file)) walk(file, [file]);
  return found;
}

/**
 * Returns each import, of types or values, that closes a cycle between features of one server
 * district. Between districts, and between features of the web client, the tables of
 * boundary-rules.mjs exclude cycles.
 */
function findFeatureCycles(edges) {
  const imports = new Map();
  for (const edge of edges) {
    if (!edge.file || isTestFile(edge.from) || !edge.from.startsWith(SERVER_FEATURES)) continue;
    if (!edge.file.startsWith(SERVER_FEATURES)) continue;
    const [from, to] = [serverPlace(edge.from).feature, serverPlace(edge.file).feature];
    if (from !== to) imports.set(from, (imports.get(from) ?? new Map()).set(to, edge));
  }
  const reaches = (from, wanted, seen = new Set()) =>
    [...(imports.get(from)?.keys() ?? [])].some(
      next => next === wanted || (!seen.has(next) && reaches(next, wanted, seen.add(next))),
    );
  return [...imports].flatMap(([from, targets]) =>
    [...targets]
      .filter(([to]) => reaches(to, from))
      .map(([to, { from: file, line }]) => ({
        rule: 'feature-cycle',
        from: file,
        line,
        says: `${from} and ${to} import each other`,
      })),
  );
}

/** Returns every violation under a root: { rule, from, line, says }, sorted by place. */
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
      says: 'only config/config.ts may read process.env',
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

/** Returns the problems for the list of checks, one line each. */
export function checkBoundaries() {
  const files = listProjectFiles().filter(file => isSourceFile(file) && /^(apps|packages)\//.test(file));
  return findViolations(root, files).map(({ rule, from, line, says }) => `${from}:${line}: ${rule}: ${says}`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const problems = checkBoundaries();
  for (const problem of problems) console.log(problem);
  process.exit(problems.length === 0 ? 0 : 1);
}
