/**
 * Reads the imports of each source file from its syntax tree and resolves them to a file, package
 * or builtin. Covers `import`, `export … from`, `import()`, type imports, and workers named by `new
 * URL('…', import.meta.url)`. Which imports are allowed is defined in boundary-rules.mjs.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { literalOf, nameOf } from './syntax.mjs';

const builtins = new Set(builtinModules);

/** Returns the line of an offset, counted from 1. */
function lineAt(source, offset) {
  let line = 1;
  for (let at = source.indexOf('\n'); at !== -1 && at < offset; at = source.indexOf('\n', at + 1)) line += 1;
  return line;
}

/**
 * Returns the imports of one file: `imports` ({ specifier, line, isType }) and `environmentLines`,
 * where it reads process.env. Throws on a file that cannot be parsed, because a check that skips
 * files proves nothing.
 */
export function readImports(file, source) {
  const parsed = parseSync(file, source);
  if (parsed.errors.length > 0) throw new Error(`${file} cannot be parsed: ${parsed.errors[0].message}`);
  const found = [];
  const add = (specifier, offset, isType) => found.push({ specifier, line: lineAt(source, offset), isType });
  const { staticImports, staticExports, dynamicImports } = parsed.module;
  for (const one of staticImports) {
    add(
      one.moduleRequest.value,
      one.start,
      one.entries.length > 0 && one.entries.every(entry => entry.isType),
    );
  }
  for (const one of staticExports) {
    const from = one.entries.filter(entry => entry.moduleRequest);
    const specifier = from[0]?.moduleRequest?.value;
    if (specifier !== undefined)
      add(
        specifier,
        one.start,
        from.every(entry => entry.isType),
      );
  }
  for (const { moduleRequest } of dynamicImports) {
    const text = source.slice(moduleRequest.start, moduleRequest.end);
    const literal = /^(['"`])([^'"`$]+)\1$/.exec(text);
    if (literal) add(literal[2], moduleRequest.start, false);
  }
  for (const worker of source.matchAll(/new URL\(\s*['"](\.[^'"]+)['"]\s*,\s*import\.meta\.url/g)) {
    if (/\.(tsx?|mjs)$/.test(worker[1])) add(worker[1], worker.index, false);
  }
  const environmentLines = [];
  // `readConfig(process.env)` passes the environment to its one reader and does not read it.
  const handedOn = new Set();
  new Visitor({
    CallExpression: node => {
      if (nameOf(node.callee) === 'readConfig')
        for (const argument of node.arguments) handedOn.add(argument.start);
    },
    TSImportType: node => add(node.source.value, node.start, true),
    MemberExpression: node => {
      const name = node.computed ? literalOf(node.property) : nameOf(node.property);
      if (nameOf(node.object) === 'process' && name === 'env' && !handedOn.has(node.start)) {
        environmentLines.push(lineAt(source, node.start));
      }
    },
    ImportDeclaration: node => {
      const isProcess = /^(node:)?process$/.test(node.source.value);
      const takesEnv = node.specifiers.some(
        one => one.type === 'ImportSpecifier' && nameOf(one.imported) === 'env',
      );
      if (isProcess && takesEnv) environmentLines.push(lineAt(source, node.start));
    },
  }).visit(parsed.program);
  return { imports: found, environmentLines };
}

/** Returns the workspaces under a root: package name to { folder, exports }. */
export function listWorkspaces(base) {
  const workspaces = new Map();
  for (const group of ['packages', 'apps']) {
    const folder = path.join(base, group);
    if (!existsSync(folder)) continue;
    for (const room of readdirSync(folder)) {
      const manifest = path.join(folder, room, 'package.json');
      if (!existsSync(manifest)) continue;
      const { name, exports } = JSON.parse(readFileSync(manifest, 'utf8'));
      workspaces.set(name, { folder: `${group}/${room}`, exports: exports ?? {} });
    }
  }
  return workspaces;
}

/**
 * Returns the file behind a subpath of a package's `exports`, or null if the package does not
 * export it.
 */
export function findExport(exports, subpath) {
  if (typeof exports[subpath] === 'string') return exports[subpath];
  for (const [pattern, target] of Object.entries(exports)) {
    const star = pattern.indexOf('*');
    if (star === -1) continue;
    const [head, tail] = [pattern.slice(0, star), pattern.slice(star + 1)];
    if (subpath.length > head.length + tail.length && subpath.startsWith(head) && subpath.endsWith(tail)) {
      return target.replaceAll('*', subpath.slice(head.length, subpath.length - tail.length));
    }
  }
  return null;
}

/**
 * Resolves a specifier for the file that names it: { file } of this tree, { library } from npm, {
 * builtin } of Node, { unexported } for a subpath that its package does not export, or { missing }.
 */
export function resolveImport(base, workspaces, from, specifier) {
  const plain = specifier.replace(/\?.*$/, '');
  if (plain.startsWith('.')) {
    const file = path.posix.normalize(path.posix.join(path.posix.dirname(from), plain));
    const full = path.join(base, file);
    return existsSync(full) && statSync(full).isFile() ? { file } : { missing: specifier };
  }
  if (plain.startsWith('node:') || builtins.has(plain)) return { builtin: plain.replace(/^node:/, '') };
  const parts = plain.split('/');
  const name = plain.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0];
  const workspace = workspaces.get(name);
  if (!workspace) return { library: name };
  const subpath = ['.', ...plain.slice(name.length).split('/').filter(Boolean)].join('/');
  const target = findExport(workspace.exports, subpath);
  return target ? { file: path.posix.join(workspace.folder, target), entry: plain } : { unexported: plain };
}

/**
 * Returns all edges of the given files: { from, line, specifier, isType, file? library? builtin?
 * unexported? missing? }.
 */
export function readGraph(base, files) {
  const workspaces = listWorkspaces(base);
  const edges = [];
  const environment = [];
  for (const from of files) {
    const { imports, environmentLines } = readImports(from, readFileSync(path.join(base, from), 'utf8'));
    for (const one of imports)
      edges.push({ from, ...one, ...resolveImport(base, workspaces, from, one.specifier) });
    for (const line of environmentLines) environment.push({ from, line });
  }
  return { edges, environment };
}
