/**
 * /openapi.json, and /docs: the same document as a page for people. The page is made here, without scripts, so it fits the
 * policy of every other page.
 */
import type { CallTable } from '@keyfold/contract';
import type { FastifyInstance } from 'fastify';
import { createPublicText } from './compression.ts';
import { DOCS_STYLE, renderDocs } from './docs-page.ts';
import { createOpenApi } from './openapi.ts';

export function mountDocs(app: FastifyInstance, table: CallTable, serverUrl: string): void {
  const document = createOpenApi(table, serverUrl);
  const json = JSON.stringify(document, null, 2);
  const sendDocument = createPublicText(json);
  const sendPage = createPublicText(renderDocs(document));
  app.get('/openapi.json', async (request, reply) =>
    sendDocument(request, reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache')),
  );
  app.get('/docs', async (request, reply) =>
    sendPage(request, reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache')),
  );
  app.get('/docs.css', async (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(DOCS_STYLE),
  );
}
