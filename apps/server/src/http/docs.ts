/**
 * Serves /openapi.json, and /docs: the same document as one static page that lists every endpoint
 * with its access, fields and responses. The page has no scripts, so it satisfies the content
 * policy of every other page.
 */
import type { CallTable } from '@keyfold/contract';
import type { FastifyInstance } from 'fastify';
import { createPublicText } from './compression.ts';
import { createOpenApi } from './openapi.ts';

type Json = Record<string, unknown>;

const toHtml = (text: unknown): string =>
  String(text).replace(/[&<>"']/g, char => `&#${char.charCodeAt(0)};`);

const asRecord = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};

const asList = (value: unknown): Json[] => (Array.isArray(value) ? value.map(asRecord) : []);

/** Summarizes a schema in a few words. */
function typeOf(schema: Json): string {
  const options = [...asList(schema.anyOf), ...asList(schema.oneOf)];
  if (options.length > 0) return [...new Set(options.map(typeOf))].join(' or ');
  if (Array.isArray(schema.enum)) return schema.enum.map(value => JSON.stringify(value)).join(' or ');
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.type === 'array') return `list of ${typeOf(asRecord(schema.items))}`;
  const limits = [
    ['minLength', 'at least', 'characters'],
    ['maxLength', 'at most', 'characters'],
    ['minimum', 'from', ''],
    ['maximum', 'to', ''],
  ]
    .filter(([key]) => key !== undefined && typeof schema[key] === 'number')
    .map(([key = '', word, unit]) => `${word} ${schema[key]} ${unit}`.trim());
  return [schema.type ?? 'any', ...limits].join(', ');
}

function rowsOf(schema: Json, prefix = ''): string {
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(asRecord(schema.properties))
    .map(([name, raw]) => {
      const field = asRecord(raw);
      const inner = field.type === 'array' ? asRecord(field.items) : field;
      const path = `${prefix}${name}`;
      const nested = inner.properties === undefined ? '' : rowsOf(inner, `${path}.`);
      const need = required.includes(name) ? 'required' : 'optional';
      return `<tr><td><code>${toHtml(path)}</code></td><td>${toHtml(typeOf(field))}</td><td>${need}</td></tr>${nested}`;
    })
    .join('');
}

const tableOf = (title: string, rows: string): string =>
  rows === ''
    ? ''
    : `<h4>${title}</h4><table><thead><tr><th>Field</th><th>Form</th><th></th></tr></thead><tbody>${rows}</tbody></table>`;

function schemaIn(holder: unknown): Json {
  const [first] = Object.values(asRecord(asRecord(holder).content));
  return asRecord(asRecord(first).schema);
}

function renderOperation(path: string, method: string, operation: Json): string {
  const parameters = asList(operation.parameters)
    .map(
      one =>
        `<tr><td><code>${toHtml(one.name)}</code></td><td>${toHtml(typeOf(asRecord(one.schema)))}, in the ${toHtml(one.in)}</td><td>${one.required ? 'required' : 'optional'}</td></tr>`,
    )
    .join('');
  const responses = asRecord(operation.responses);
  const statuses = Object.entries(responses)
    .map(
      ([status, response]) => `<li><b>${toHtml(status)}</b> ${toHtml(asRecord(response).description)}</li>`,
    )
    .join('');
  return `<details id="${toHtml(operation.operationId)}"><summary><b>${toHtml(method.toUpperCase())}</b> <code>${toHtml(path)}</code>
<span>${toHtml(operation['x-access'])}</span><p>${toHtml(operation.summary)}</p></summary>
<p>${toHtml(operation.description)}</p>
${tableOf('Parameters', parameters)}${tableOf('Body', rowsOf(schemaIn(operation.requestBody)))}${tableOf('Response', rowsOf(schemaIn(responses['200'])))}
<h4>Statuses</h4><ul>${statuses}</ul></details>`;
}

/** Returns the page's HTML. */
export function renderDocs(document: Json): string {
  const info = asRecord(document.info);
  const byTag = new Map<string, string[]>();
  for (const [path, methods] of Object.entries(asRecord(document.paths))) {
    for (const [method, raw] of Object.entries(asRecord(methods))) {
      const operation = asRecord(raw);
      const tag = String(Array.isArray(operation.tags) ? operation.tags[0] : '');
      byTag.set(tag, [...(byTag.get(tag) ?? []), renderOperation(path, method, operation)]);
    }
  }
  const groups = [...byTag].map(
    ([tag, items]) => `<section><h2>${toHtml(tag)}</h2>${items.join('\n')}</section>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${toHtml(info.title)} API</title>
<link rel="stylesheet" href="/docs.css">
</head>
<body>
<main>
<h1>${toHtml(info.title)} API</h1>
<p>${toHtml(info.description)}</p>
<p>Also available as <a href="/openapi.json">OpenAPI ${toHtml(document.openapi)}</a>. A success returns
<code>{"success": true, …}</code>, a failure <code>{"success": false, "message", "code", "errors"?}</code>.
Times are ISO 8601 in UTC, ids are opaque, binary values are base64. State-changing calls with a cookie must come from
this site. Calls under <code>/admin/</code> require <code>X-CSRF-Token</code>.</p>
${groups.join('\n')}
</main>
</body>
</html>
`;
}

const DOCS_STYLE = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin-top: 2.5rem; text-transform: capitalize; }
details { border-top: 1px solid #8884; padding: 0.5rem 0; }
summary { cursor: pointer; }
summary p { margin: 0.1rem 0 0; opacity: 0.75; }
summary span { float: right; opacity: 0.75; }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; }
th, td { text-align: left; padding: 0.25rem 0.5rem 0.25rem 0; border-top: 1px solid #8883; vertical-align: top; }
h4 { margin: 1rem 0 0.25rem; }
`;

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
