import { api } from '@keyfold/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../tests/harness/app.ts';

type Operation = {
  operationId: string;
  'x-access': string;
  security: unknown[];
  parameters: { name: string; in: string; required: boolean }[];
  requestBody?: { content: Record<string, unknown> };
  responses: Record<string, { description: string; content?: Record<string, { schema: unknown }> }>;
};
type OpenApi = {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown>; securitySchemes: Record<string, unknown> };
};

let app: TestApp;
let document: OpenApi;
beforeAll(async () => {
  app = await startTestApp();
  document = (await (await app.client().fetch('/openapi.json')).json()) as OpenApi;
});
afterAll(() => app.close());

test('the document is OpenAPI 3.1', () => {
  expect(document.openapi).toMatch(/^3\.1\./);
  expect(document.info).toMatchObject({ title: 'Keyfold', version: expect.any(String) });
});

test('every call is listed once with its access', () => {
  const calls = Object.entries(api).flatMap(([group, byName]) =>
    Object.entries(byName).map(([name, call]) => ({ id: `${group}.${name}`, call })),
  );
  const operations = Object.values(document.paths).flatMap(methods => Object.values(methods));
  expect(operations.map(one => one.operationId).sort()).toEqual(calls.map(one => one.id).sort());
  for (const { id, call } of calls) {
    const path = call.path.replace(/:([a-z_]+)/g, '{$1}');
    const operation = document.paths[path]?.[call.method.toLowerCase()];
    expect(operation?.operationId, id).toBe(id);
    expect(operation?.['x-access'], id).toBe(call.access);
    expect(operation?.security.length === 0, id).toBe(call.access === 'public');
  }
});

test('paths declare their parameters, GET has no body, and every reference resolves', () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const inPath = operation.parameters.filter(one => one.in === 'path').map(one => one.name);
      expect(inPath).toEqual([...path.matchAll(/\{([a-z_]+)\}/g)].map(match => match[1]));
      if (method === 'get') expect(operation.requestBody).toBeUndefined();
      expect(Object.keys(operation.responses)).toContain('200');
      for (const response of Object.values(operation.responses)) expect(response.description).not.toBe('');
    }
  }
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(
    match => match[1] ?? '',
  );
  for (const reference of references) {
    expect(reference).toMatch(/^#\/components\/schemas\/\w+$/);
    expect(document.components.schemas).toHaveProperty(reference.split('/').at(-1) ?? '');
  }
});

test('the document matches the requests and responses of the contract', () => {
  const login = document.paths['/auth/login']?.post;
  expect(login?.requestBody?.content['application/json']).toMatchObject({
    schema: { required: ['email', 'password'], properties: { password: { pattern: '^[0-9a-f]{64}$' } } },
  });
  expect(Object.keys(login?.responses ?? {})).toContain('429');
  const upload = document.paths['/user/upload']?.post;
  expect(upload?.requestBody?.content).toHaveProperty('multipart/form-data');
  expect(document.paths['/user/attachment/{id}']?.get?.responses).toHaveProperty('206');
});

test('the HTML page lists every call and contains nothing that the content security policy forbids', async () => {
  const reply = await app.client().fetch('/docs');
  expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const html = await reply.text();
  for (const [group, calls] of Object.entries(api)) {
    for (const name of Object.keys(calls)) expect(html).toContain(`id="${group}.${name}"`);
  }
  expect(html).not.toMatch(/<script|<style|\sstyle=|\son[a-z]+=|https?:\/\//);
  expect((await app.client().fetch('/docs.css')).headers.get('content-type')).toContain('text/css');
});
