/**
 * Installs the peers of a benchmark under .cache/bench, which git ignores. The product never
 * depends on them. Exact versions only, so that two runs compare with the same code.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../../.cache/bench/', import.meta.url));

/**
 * Installs `packages` (name@version) for a benchmark unless they are present; returns their
 * node_modules.
 */
export async function installPeers(bench, packages) {
  const folder = path.join(cache, bench);
  const stamp = path.join(folder, '.installed');
  const wanted = packages.join('\n');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
    mkdirSync(folder, { recursive: true });
    const npm = process.env.npm_execpath;
    const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error', ...packages];
    const [command, first] = npm ? [process.execPath, [npm]] : ['npm', []];
    const { status, stderr } = spawnSync(command, [...first, ...args], { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(`could not install ${packages.join(' ')}: ${stderr}`);
    writeFileSync(stamp, wanted);
  }
  return path.join(folder, 'node_modules');
}
