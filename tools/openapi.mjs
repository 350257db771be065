/**
 * Writes docs/openapi.json, the calls of the server as other programs see them. Refuses a change that would break them; with
 * `--breaking`, for a new version of the API, it says what breaks and writes the file.
 *
 *   npm run openapi
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { findBreakingChanges } from './openapi-changes.mjs';
import { root } from './run-command.mjs';

const FILE = 'docs/openapi.json';
const SERVER = 'https://mail.example.org';

/** The document as the sources declare it. */
export async function makeDocument() {
  const [{ api }, { createOpenApi }] = await Promise.all([
    import('../packages/contract/src/index.ts'),
    import('../apps/server/src/http/openapi.ts'),
  ]);
  // As a client gets it: what is not defined is not there.
  return JSON.parse(JSON.stringify(createOpenApi(api, SERVER)));
}

/** As text with a line for each call, so that a change of one call is a change of one line. */
export function textOf({ paths, ...rest }) {
  const calls = Object.entries(paths).map(([name, methods]) => {
    const lines = Object.entries(methods).map(([method, call]) => `"${method}":${JSON.stringify(call)}`);
    return `${JSON.stringify(name)}:{\n${lines.join(',\n')}\n}`;
  });
  return `${JSON.stringify(rest).slice(0, -1)},"paths":{\n${calls.join(',\n')}\n}}\n`;
}

const readFile = () => readFileSync(path.join(root, FILE), 'utf8');

/** Problems for the list of checks: what breaks clients, or that the file is not written anew. */
export async function checkOpenApi() {
  const document = await makeDocument();
  const text = readFile();
  if (text === textOf(document)) return [];
  const breaking = findBreakingChanges(JSON.parse(text), document);
  return breaking.length > 0
    ? breaking.map(change => `breaks other programs: ${change}`)
    : [`${FILE} is not what the calls say: npm run openapi`];
}

async function main() {
  const document = await makeDocument();
  const breaking = findBreakingChanges(JSON.parse(readFile()), document);
  for (const change of breaking) process.stderr.write(`breaks other programs: ${change}\n`);
  if (breaking.length > 0 && !process.argv.includes('--breaking')) {
    process.stderr.write(
      `${FILE} stays as it is. Keep the old form beside the new one, or add --breaking.\n`,
    );
    process.exitCode = 1;
    return;
  }
  writeFileSync(path.join(root, FILE), textOf(document));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main();
