/**
 * `npm run verify -- https://mail.example`: checks whether a server serves exactly the web client
 * that this checkout builds. Reads the server's list, fetches every file as a browser would, both
 * compressed and uncompressed, and compares the bytes with the local build. It cannot show what the
 * server serves to other clients or at another time.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { compareFiles, HASH_LIST_FILE, HASH_LIST_PATH, readHashList } from './hash-list.mjs';
import { root } from './run-command.mjs';

/** Addresses that all return the start page. */
const PAGES = ['/', '/app', '/app/signin', '/app/inbox/recieved/0'];
const ENCODINGS = ['br, gzip', 'identity'];
const AT_ONCE = 6;
const TIMEOUT_MS = 60_000;
/** Size limit for a file of the client; longer responses are not read to the end. */
const MOST_BYTES = 64 * 1024 * 1024;

async function ask(url, encoding) {
  const reply = await fetch(url, {
    redirect: 'error',
    headers: { 'accept-encoding': encoding, 'cache-control': 'no-cache' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (reply.status !== 200) throw new Error(`answers ${reply.status}`);
  return reply;
}

async function hashAt(url, encoding) {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const part of (await ask(url, encoding)).body ?? []) {
    bytes += part.length;
    if (bytes > MOST_BYTES) throw new Error('exceeds the size limit');
    hash.update(part);
  }
  return hash.digest('hex');
}

/** A short reason: `fetch failed` hides the actual one in its cause. */
const reasonOf = error => (error.cause?.message ? `${error.message}: ${error.cause.message}` : error.message);

/**
 * Compares what the server at `origin` serves with `files` (name to SHA-256) of the local build.
 * Returns the problems as sentences, and `title`, the title of the server's list.
 */
export async function compareServer(origin, files) {
  const problems = [];
  let title = null;
  try {
    const text = await (await ask(origin + HASH_LIST_PATH, 'identity')).text();
    const list = readHashList(text);
    ({ title } = list);
    problems.push(...compareFiles(files, list.files).map(problem => `published list: ${problem}`));
  } catch (error) {
    problems.push(`published list: ${reasonOf(error)}`);
  }
  const wanted = [...files].map(([name, hash]) => [`/${name}`, hash]);
  for (const page of PAGES) wanted.push([page, files.get('index.html')]);
  const work = wanted.flatMap(([at, hash]) => ENCODINGS.map(encoding => [at, hash, encoding]));
  const worker = async () => {
    for (let next = work.shift(); next !== undefined; next = work.shift()) {
      const [at, hash, encoding] = next;
      try {
        if ((await hashAt(origin + at, encoding)) !== hash)
          problems.push(`${at} (${encoding}) differs from the build of this checkout`);
      } catch (error) {
        problems.push(`${at} (${encoding}): ${reasonOf(error)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return { problems: problems.sort(), title };
}

/** @param {string[]} args */
async function main([address = '']) {
  if (!/^https?:\/\//.test(address)) {
    console.error('Usage: npm run verify -- https://mail.example');
    return 2;
  }
  const { title, files } = readHashList(
    readFileSync(path.join(root, 'apps/web/dist', HASH_LIST_FILE), 'utf8'),
  );
  const { origin } = new URL(address);
  const found = await compareServer(origin, files);
  for (const problem of found.problems) console.log(`FAIL  ${problem}`);
  console.log(`local:  ${title}\nserver: ${found.title ?? 'no list'}`);
  console.log(
    found.problems.length === 0
      ? `${origin} serves ${files.size} files, all identical to the build of this checkout.`
      : `${origin} does not serve the build of this checkout. Check that the versions match.`,
  );
  return found.problems.length === 0 ? 0 : 1;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  process.exitCode = await main(process.argv.slice(2));
