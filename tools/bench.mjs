/**
 * `npm run bench -- NAME [arguments]`: runs bench/NAME.ts or bench/NAME.mjs, which measures Keyfold
 * and a peer in turn, and prints each result as one JSON line as it arrives. `npm run bench -- all`
 * runs every benchmark in sequence without arguments; a failure does not stop the others. Without a
 * name it lists the benchmarks. See bench/README.md.
 */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { root } from './run-command.mjs';

const folder = path.join(root, 'bench');
const ALL = 'all';
const FIELDS = ['ours', 'peer', 'unit', 'peer_is', 'goal'];
/**
 * Optional fields of a line: whether the goal is met (null: not measured), why not, and further
 * numbers.
 */
const FURTHER = ['met', 'not_measured', 'failed', 'figures'];

/**
 * Returns the names of the benchmarks: the files of bench/ that are not part of another benchmark's
 * folder.
 */
export function listBenches(files) {
  return files
    .filter(file => /^[a-z0-9-]+\.(ts|mjs)$/.test(file) && !/\.test\./.test(file))
    .map(file => file.replace(/\.[a-z]+$/, ''))
    .sort();
}

/**
 * Returns the line to print for a result. Throws when a field is missing, because a partial
 * measurement misleads.
 */
export function toLine(name, result) {
  const missing = FIELDS.filter(field => result[field] === undefined);
  if (missing.length > 0) throw new Error(`${name} did not return ${missing.join(', ')}`);
  const isRatio = result.peer !== 0 && result.peer !== null && result.ours !== null;
  const ratio = isRatio ? Number((result.ours / result.peer).toFixed(3)) : null;
  return JSON.stringify({
    bench: result.bench ?? name,
    ours: result.ours,
    peer: result.peer,
    ratio,
    unit: result.unit,
    peer_is: result.peer_is,
    goal: result.goal,
    ...Object.fromEntries(FURTHER.filter(field => field in result).map(field => [field, result[field]])),
  });
}

async function runBench(name, args) {
  const file = [`${name}.ts`, `${name}.mjs`].map(base => path.join(folder, base)).find(existsSync);
  if (!file) throw new Error(`unknown benchmark ${name}`);
  const { run } = await import(pathToFileURL(file).href);
  if (typeof run !== 'function')
    throw new Error(`${path.relative(root, file)} does not export a function named run`);
  const given = await run(args);
  const results = given[Symbol.asyncIterator] === undefined ? [given].flat() : given;
  for await (const result of results) console.log(toLine(name, result));
}

/** Runs one benchmark; a failure is printed and makes this program exit with 1. */
async function tryBench(name, args) {
  try {
    await runBench(name, args);
  } catch (error) {
    console.error(`${name}: ${error.message}`);
    process.exitCode = 1;
  }
}

async function main() {
  const names = listBenches(readdirSync(folder));
  const [name, ...args] = process.argv.slice(2);
  if (!name) {
    console.log(
      names.length > 0
        ? `Benchmarks:\n${names.map(one => `  ${one}`).join('\n')}\n  ${ALL}: all of them, which takes hours`
        : 'No benchmarks found in bench/.',
    );
    return;
  }
  for (const one of name === ALL ? names : [name]) await tryBench(one, args);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main();
