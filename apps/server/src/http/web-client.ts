/**
 * Serves the built web client. Its start page answers every address that a person may open and is
 * always revalidated. Files with a hash in their name never change, and come from machines with
 * another build when this one lacks them ([Note: Files of both builds]). Files missing everywhere
 * get 404, so that the client can tell an old page from a new one.
 */
import { access } from 'node:fs/promises';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import { AppError } from '@keyfold/contract/errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../context/deps.ts';
import {
  createClientFiles,
  isHashedPath,
  isSharedPath,
  shareClientFiles,
} from '../features/clients/client-files/index.ts';
import { createBuildCheck } from './client-build.ts';
import { createSignedClient, type SignedClient } from './client-signature.ts';
import { createStartPage } from './start-page.ts';

const YEAR_SECONDS = 365 * 24 * 60 * 60;
/** Paths of the API: an unknown path below them gets a JSON error, never a page. */
const API = /^\/(?:auth|user|admin|csrf|otp|health|ready|metrics|openapi\.json)(?:\/|$)/;

/** The same list with the service's signature, for service workers. */
const SIGNED_LIST_PATH = '/.well-known/keyfold/client.json';
/**
 * Serves the build's hash list, so that anyone can compare the served files with their own build.
 */
const HASH_LIST = { path: '/.well-known/keyfold/hashes.txt', file: 'hashes.txt' } as const;

const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Keyfold</title>
<h1>Keyfold is running</h1>
<p>The web client has not been built yet. <code>npm start</code> builds it. The API is available
(<a href="/docs">its documentation</a>).</p>
</html>
`;

const OTHER_BUILD = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Keyfold</title>
<h1>Keyfold is being updated</h1>
<p>The web client does not match this server. Reload this page in a few minutes. Operators find instructions in
the log. Mail delivery continues.</p>
</html>
`;

const IMMUTABLE = `public, max-age=${YEAR_SECONDS}, immutable`;
const cacheControlOf = (file: string): string => (isHashedPath(file) ? IMMUTABLE : 'no-cache');

/** Content types of files with a hash in their name, and of signed lists. */
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

/**
 * Publishes this build's files for other machines. A failure only means that others lack the build;
 * it does not stop the server.
 */
async function share(deps: Deps, root: string, signed: SignedClient | null): Promise<void> {
  // With an embedded database, there is only one machine.
  if (signed === null || deps.config.databaseUrl === undefined) return;
  try {
    await shareClientFiles(deps, root, signed.list, JSON.stringify(signed));
  } catch (err) {
    deps.logger.warn({ err }, 'could not share the web client with other machines');
  }
}

/** Sends a file that another machine published. Throws not_found. */
async function sendShared(
  find: ReturnType<typeof createClientFiles>,
  at: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const type = TYPES[path.extname(at)];
  const file = type === undefined ? null : await find(at);
  if (type === undefined || file === null) throw new AppError('not_found');
  void reply.type(type).headers({ 'cache-control': IMMUTABLE, vary: 'accept-encoding' });
  const isPacked = /\bbr\b/.test(String(request.headers['accept-encoding'] ?? ''));
  return isPacked ? reply.header('content-encoding', 'br').send(file.packed) : reply.send(file.plain);
}

/**
 * Mounts the client built in `root`; `root` may appear later. `build` is the hash of the sources
 * that the client must be built from; null accepts any.
 */
export async function mountWebClient(
  app: FastifyInstance,
  { webRoot: root, build }: { readonly webRoot: string; readonly build: string | null },
  deps: Deps,
): Promise<void> {
  await app.register(fastifyStatic, {
    root,
    serve: false,
    preCompressed: true,
    // Its own cache-control would override ours and cache index.html for a year.
    cacheControl: false,
    dotfiles: 'ignore',
    index: false,
    suppressWarning: true,
  });

  const findHeaders = createStartPage(path.join(root, 'index.html'));
  const isOwnBuild = build === null ? () => true : createBuildCheck(root, build, deps.logger);
  const sendPage = (reply: FastifyReply): FastifyReply => {
    const headers = findHeaders();
    if (headers !== null && isOwnBuild()) return reply.headers(headers).sendFile('index.html');
    return reply
      .code(503)
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(headers === null ? NOT_BUILT : OTHER_BUILD);
  };
  // Logs at startup, not only when a client requests the page.
  isOwnBuild();

  app.get(HASH_LIST.path, (_request, reply) =>
    reply.header('cache-control', 'no-cache').sendFile(HASH_LIST.file),
  );
  const findShared = createClientFiles(deps);
  const findSigned = createSignedClient(deps.masterKey, path.join(root, HASH_LIST.file));
  if (isOwnBuild()) await share(deps, root, findSigned());
  app.get(SIGNED_LIST_PATH, async (_request, reply) => {
    const signed = findSigned();
    if (signed === null) throw new AppError('not_found');
    return reply.header('cache-control', 'no-cache').type('application/json; charset=utf-8').send(signed);
  });
  app.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    handler: async (request, reply) => {
      const pathname = request.url.split(/[?#]/, 1)[0] ?? '/';
      if (API.test(pathname)) throw new AppError('not_found');
      if (isPagePath(pathname)) return sendPage(reply);
      if (isSharedPath(pathname) && !(await isThere(path.join(root, pathname))))
        return sendShared(findShared, pathname, request, reply);
      return reply.header('cache-control', cacheControlOf(pathname)).sendFile(pathname);
    },
  });
}

/** The mail view, where users choose the names of tags: `v1.0` is not a file. */
const MAIL_VIEW = /^\/app\/(?:inbox|event)\/[^/]+(?:\/[^/]*)?$/;
const EXTENSION = /[^.]\.[^.\s]+$/;
const OWN_PAGE = '/index.html';

/** Returns the decoded path; null when its escapes are invalid. */
function decodePath(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return null;
  }
}

/**
 * Returns whether the start page answers at this path (without its query). Excludes dot files,
 * unserved names below /.well-known/ and names with a file extension: scanners, and browsers that
 * probe for a feature, need a real 404 there.
 */
export function isPagePath(pathname: string): boolean {
  if (pathname === OWN_PAGE) return true;
  const segments = (decodePath(pathname) ?? pathname).split(/[/\\]/).filter(segment => segment !== '');
  if (MAIL_VIEW.test(pathname)) return true;
  if (segments.some(segment => segment.startsWith('.'))) return false;
  return !EXTENSION.test(segments.at(-1) ?? '');
}
