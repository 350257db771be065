/**
 * Serves the built web client. Its start page answers for every address a person may open and is asked for anew each time;
 * files whose name holds a hash never change. What is missing is 404, so that the client can tell an old page from a new one.
 */
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import { AppError } from '@keyfold/contract/errors';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Deps } from '../deps.ts';
import { createSignedClient } from './client-signature.ts';
import { createStartPage } from './start-page.ts';

const YEAR_SECONDS = 365 * 24 * 60 * 60;
/** bundle.NAME.HASH.js at the root, and NAME.HASH.EXT under assets/. */
const HASHED = /^\/(?:bundle\.|assets\/).*\.[A-Za-z0-9_-]{7,}\.[a-z0-9]+$/;
/** Paths of the API: an unknown one below them is an error in JSON, never a page. */
const API = /^\/(?:auth|user|admin|csrf|otp|health|ready|metrics|openapi\.json)(?:\/|$)/;

/** The same list with the service's signature, for service workers. */
const SIGNED_LIST_PATH = '/.well-known/keyfold/client.json';
/** Where the build's list of hashes is given out, so that anybody can compare what is served with what they build. */
const HASH_LIST = { path: '/.well-known/keyfold/hashes.txt', file: 'hashes.txt' } as const;

const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Keyfold</title>
<h1>Keyfold is running</h1>
<p>The web client has not been built yet. <code>npm start</code> builds it; the API answers meanwhile
(<a href="/docs">its documentation</a>).</p>
</html>
`;

const cacheControlOf = (file: string): string =>
  HASHED.test(file) ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache';

/** Mounts the client built in `root`; `root` may appear later. */
export const mountWebClient = async (
  app: FastifyInstance,
  root: string,
  { masterKey }: Pick<Deps, 'masterKey'>,
): Promise<void> => {
  await app.register(fastifyStatic, {
    root,
    serve: false,
    preCompressed: true,
    // Its own cache-control would override ours and keep index.html for a year.
    cacheControl: false,
    dotfiles: 'ignore',
    index: false,
    suppressWarning: true,
  });

  const findHeaders = createStartPage(path.join(root, 'index.html'));
  const sendPage = (reply: FastifyReply): FastifyReply => {
    const headers = findHeaders();
    if (headers === null) {
      return reply
        .code(503)
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-store')
        .send(NOT_BUILT);
    }
    return reply.headers(headers).sendFile('index.html');
  };

  app.get(HASH_LIST.path, (_request, reply) =>
    reply.header('cache-control', 'no-cache').sendFile(HASH_LIST.file),
  );
  const findSigned = createSignedClient(masterKey, path.join(root, HASH_LIST.file));
  app.get(SIGNED_LIST_PATH, async (_request, reply) => {
    const signed = findSigned();
    if (signed === null) throw new AppError('not_found');
    return reply.header('cache-control', 'no-cache').type('application/json; charset=utf-8').send(signed);
  });
  app.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    handler: (request, reply) => {
      const pathname = request.url.split(/[?#]/, 1)[0] ?? '/';
      if (API.test(pathname)) throw new AppError('not_found');
      const hasExtension = /\.[A-Za-z0-9]+$/.test(pathname);
      if (!hasExtension || pathname === '/index.html') return sendPage(reply);
      return reply.header('cache-control', cacheControlOf(pathname)).sendFile(pathname);
    },
  });
};
