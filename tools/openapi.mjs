/**
 * Writes docs/openapi.json, the server's public API. Refuses a breaking change; with `--breaking`,
 * for a new version of the API, it prints what breaks and writes the file.
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

/** Returns the document as the sources declare it. */
export async function makeDocument() {
  const [{ api }, { createOpenApi }] = await Promise.all([
    import('../packages/contract/src/index.ts'),
    import('../apps/server/src/http/openapi.ts'),
  ]);
  // In the form that a client receives, without undefined values.
  return JSON.parse(JSON.stringify(createOpenApi(api, SERVER)));
}

/**
 * Formats the document with one line per operation, so that changing one operation changes one
 * line.
 */
export function textOf({ paths, ...rest }) {
  const calls = Object.entries(paths).map(([name, methods]) => {
    const lines = Object.entries(methods).map(([method, call]) => `"${method}":${JSON.stringify(call)}`);
    return `${JSON.stringify(name)}:{\n${lines.join(',\n')}\n}`;
  });
  return `${JSON.stringify(rest).slice(0, -1)},"paths":{\n${calls.join(',\n')}\n}}\n`;
}

const readFile = () => readFileSync(path.join(root, FILE), 'utf8');

/** Returns the problems for the list of checks: what breaks clients, or an outdated file. */
export async function checkOpenApi() {
  const document = await makeDocument();
  const text = readFile();
  if (text === textOf(document)) return [];
  const breaking = findBreakingChanges(JSON.parse(text), document);
  return breaking.length > 0
    ? breaking.map(change => `breaks existing clients: ${change}`)
    : [`${FILE} is out of date: npm run openapi`];
}

async function main() {
  const document = await makeDocument();
  const breaking = findBreakingChanges(JSON.parse(readFile()), document);
  for (const change of breaking) process.stderr.write(`breaks existing clients: ${change}\n`);
  if (breaking.length > 0 && !process.argv.includes('--breaking')) {
    process.stderr.write(
      `${FILE} was not changed. Keep the old form alongside the new one, or add --breaking.\n`,
    );
    process.exitCode = 1;
    return;
  }
  writeFileSync(path.join(root, FILE), textOf(document));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main();
