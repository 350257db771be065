/**
 * `npm run build:verify`: rebuilds the web client in another folder, time zone and language, with
 * other files around it, and compares the hash list with that of the build in apps/web/dist. Any
 * difference is a failure: users could no longer verify by rebuilding that a server serves this
 * source.
 */
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { compareFiles, HASH_LIST_FILE, readHashList } from './hash-list.mjs';
import { root, runCommand } from './run-command.mjs';
import { buildInputs } from './web-build.mjs';

const TIMEOUT_MS = 300_000;
/** As different from most machines as possible. */
const ELSEWHERE = { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8', HOME: os.tmpdir() };

/**
 * Hard-links each file, or copies it when the folders are on different disks. Symbolic links are
 * kept as they are.
 */
function linkTree(from, to) {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = path.join(from, entry.name);
    const target = path.join(to, entry.name);
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target, 'junction');
    else if (entry.isDirectory()) {
      // Skips what earlier builds left there.
      if (!entry.name.startsWith('.vite')) linkTree(source, target);
    } else linkFile(source, target);
  }
}

function linkFile(source, target) {
  try {
    linkSync(source, target);
  } catch {
    copyFileSync(source, target);
  }
}

function copySources(to) {
  for (const file of buildInputs(root)) {
    mkdirSync(path.dirname(path.join(to, file)), { recursive: true });
    linkFile(path.join(root, file), path.join(to, file));
  }
  for (const file of ['package.json', 'tsconfig'])
    cpSync(path.join(root, file), path.join(to, file), { recursive: true });
  linkTree(path.join(root, 'node_modules'), path.join(to, 'node_modules'));
  for (const group of ['apps', 'packages'])
    for (const name of readdirSync(path.join(to, group))) {
      const modules = path.join(group, name, 'node_modules');
      if (existsSync(path.join(root, modules))) linkTree(path.join(root, modules), path.join(to, modules));
    }
}

/**
 * Builds in another folder, compares with apps/web/dist and returns the differences as sentences.
 */
export async function findBuildDifferences() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'Keyfold elsewhere '));
  try {
    copySources(folder);
    const script = `import { buildWeb } from ${JSON.stringify(pathToFileURL(path.join(folder, 'tools/web-build.mjs')))}; process.exitCode = buildWeb(${JSON.stringify(folder)}, process.execPath) === null ? 0 : 1;`;
    const run = await runCommand(process.execPath, ['--input-type=module', '-e', script], {
      cwd: folder,
      env: ELSEWHERE,
      timeoutMs: TIMEOUT_MS,
    });
    if (run.code !== 0) return [`the second build failed: ${run.output.trim()}`];
    const [here, there] = [root, folder].map(at =>
      readHashList(readFileSync(path.join(at, 'apps/web/dist', HASH_LIST_FILE), 'utf8')),
    );
    const title =
      here.title === there.title ? [] : [`expected ${here.title}, the second build is ${there.title}`];
    return [...title, ...compareFiles(here.files, there.files)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const problems = await findBuildDifferences();
  for (const problem of problems) console.log(`FAIL  ${problem}`);
  if (problems.length === 0)
    console.log('The web client is reproducible: a build in another environment has the same bytes.');
  process.exitCode = problems.length === 0 ? 0 : 1;
}
