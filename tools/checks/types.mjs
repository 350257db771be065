/**
 * Type-checks every workspace under its own tsconfig, so that a stray `document` or `Buffer` in an
 * isomorphic package fails. The scripts use the root's tsconfig.
 */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { bin, root, runCommand } from '../run-command.mjs';

const PARALLEL = 2;

/**
 * Returns every tsconfig, relative to the root: the one for the scripts, and those of the
 * workspaces.
 */
export function listTypeConfigs(base = root) {
  const configs = existsSync(path.join(base, 'tsconfig.json')) ? ['tsconfig.json'] : [];
  for (const group of ['packages', 'apps']) {
    const folder = path.join(base, group);
    if (!existsSync(folder)) continue;
    for (const room of readdirSync(folder).sort()) {
      for (const name of existsSync(path.join(folder, room))
        ? readdirSync(path.join(folder, room)).sort()
        : []) {
        if (/^tsconfig(\.[a-z-]+)?\.json$/.test(name)) configs.push(`${group}/${room}/${name}`);
      }
    }
  }
  return configs;
}

/** Returns one problem, with the compiler's output, for each workspace that does not type-check. */
export async function checkTypes() {
  const waiting = listTypeConfigs();
  const problems = [];
  const work = async () => {
    for (let config = waiting.shift(); config; config = waiting.shift()) {
      const run = await runCommand(bin('tsc'), ['--noEmit', '--pretty', 'false', '-p', config]);
      if (run.code !== 0) problems.push(`${config}\n${run.output.trim()}`);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return problems.sort();
}
