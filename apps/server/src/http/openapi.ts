/**
 * Creates the OpenAPI 3.1 document (docs/api-conventions.md#envelope) from the same schemas that
 * validate requests, so the two always agree.
 */
import type { Call, CallTable } from '@keyfold/contract';
import { failureBody } from '@keyfold/contract';
import { AUTH_TOKEN_HEADERS, nativeAnswer } from '@keyfold/contract/native';
import { z } from 'zod';
import { RATE_RULES } from './rate-limits.ts';

type Schema = Record<string, unknown>;

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
  });
  return rest;
}

/** Splits the input's fields into path parameters and the rest. */
function splitInput(call: Call) {
  const inPath = [...call.path.matchAll(/:([a-z_]+)/g)].map(match => match[1] ?? '');
  const {
    properties = {},
    required = [],
    ...rest
  } = schemaOf(call.input, 'input') as {
    properties?: Record<string, Schema>;
    required?: string[];
  };
  const others = Object.fromEntries(Object.entries(properties).filter(([name]) => !inPath.includes(name)));
  return { inPath, properties, others, required, rest };
}

/**
 * Returns whether the mobile app's shell sends tokens in headers to an endpoint and receives tokens
 * in the response.
 */
const isAuth = (call: Call): boolean => call.path.startsWith('/auth/');

const TOKEN_PARAMETERS = Object.values(AUTH_TOKEN_HEADERS)
  .filter(name => name !== AUTH_TOKEN_HEADERS.session)
  .map(name => ({
    name,
    in: 'header',
    required: false,
    schema: { type: 'string' },
    description:
      'From auth_tokens of an earlier response. Only the mobile app sends it, instead of a cookie.',
  }));

function parametersOf(call: Call) {
  const { inPath, properties, others, required } = splitInput(call);
  return [
    ...inPath.map(name => ({ name, in: 'path', required: true, schema: properties[name] ?? {} })),
    ...(call.method === 'GET'
      ? Object.entries(others).map(([name, schema]) => ({
          name,
          in: 'query',
          required: required.includes(name),
          schema,
        }))
      : (call.inQuery ?? []).map(name => ({
          name,
          in: 'query',
          required: false,
          schema: properties[name] ?? {},
          description: 'Alternative to the same field of the body, for proxies that drop the body',
        }))),
    ...(call.transport === 'signed'
      ? [{ name: 'Stripe-Signature', in: 'header', required: true, schema: { type: 'string' } }]
      : []),
    ...(isAuth(call) ? TOKEN_PARAMETERS : []),
    ...(call.path.startsWith('/admin/')
      ? [
          {
            name: 'X-CSRF-Token',
            in: 'header',
            required: true,
            schema: { type: 'string' },
            description: 'From GET /csrf/token',
          },
        ]
      : []),
  ];
}

function bodyOf(call: Call): Schema | undefined {
  if (call.method === 'GET') return undefined;
  if (call.transport === 'signed')
    return { required: true, content: { 'application/json': { schema: { type: 'object' } } } };
  const { inPath, others, required, rest } = splitInput(call);
  const isUpload = call.transport === 'upload';
  const schema = {
    ...rest,
    properties: isUpload ? { ...others, file: { type: 'string', format: 'binary' } } : others,
    required: [...required.filter(name => !inPath.includes(name)), ...(isUpload ? ['file'] : [])],
  };
  if (schema.required.length === 0 && Object.keys(others).length === 0 && !isUpload) return undefined;
  return { required: true, content: { [isUpload ? 'multipart/form-data' : 'application/json']: { schema } } };
}

function successOf(call: Call): Schema {
  if (call.transport === 'download') {
    return {
      description: 'The content',
      content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
    };
  }
  if (call.transport === 'events') {
    return {
      description: 'Event stream',
      content: { 'text/event-stream': { schema: { type: 'string' } } },
    };
  }
  const output = schemaOf(call.output, 'output') as { properties?: Schema; required?: string[] };
  const extra = isAuth(call) ? (schemaOf(nativeAnswer, 'output').properties as Schema) : {};
  return {
    description: 'Success',
    content: {
      'application/json': {
        schema: {
          ...output,
          properties: { success: { const: true }, ...output.properties, ...extra },
          required: ['success', ...(output.required ?? [])],
        },
      },
    },
  };
}

const failure = (description: string): Schema => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
});

const retryAfter = {
  'retry-after': { schema: { type: 'integer' }, description: 'Seconds to wait before a retry' },
};

const ACCESS_TEXT: Readonly<Record<Call['access'], string>> = {
  public: 'Requires no session.',
  user: 'Requires a session.',
  readonly: 'Requires a session of an admin of any level.',
  standard: 'Requires a session of an admin of level standard or super.',
  super: 'Requires a session of an admin of level super.',
};

function operationOf(group: string, name: string, call: Call): Schema {
  const isPublic = call.access === 'public';
  const body = bodyOf(call);
  const isCounted = `${group}.${name}` in RATE_RULES;
  return {
    operationId: `${group}.${name}`,
    tags: [group],
    summary: call.about,
    description: ACCESS_TEXT[call.access],
    'x-access': call.access,
    security: isPublic ? [] : [{ session: [] }, { bearer: [] }],
    parameters: parametersOf(call),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: {
      '200': successOf(call),
      ...(call.transport === 'download'
        ? { '206': { ...successOf(call), description: 'The requested range' } }
        : {}),
      '400': failure('Invalid request'),
      ...(isPublic ? {} : { '401': failure('Not logged in') }),
      ...(isPublic && call.method === 'GET' ? {} : { '403': failure('Not allowed') }),
      ...(isCounted ? { '429': { ...failure('Too many requests'), headers: retryAfter } } : {}),
      '503': { ...failure('Part of the service is unavailable'), headers: retryAfter },
      default: failure('Any other failure; see its code'),
    },
  };
}

/** Returns the document of all endpoints of a table. */
export function createOpenApi(table: CallTable, serverUrl: string): Schema {
  const paths: Record<string, Record<string, Schema>> = {};
  for (const [group, calls] of Object.entries(table)) {
    for (const [name, call] of Object.entries(calls)) {
      const path = call.path.replace(/:([a-z_]+)/g, '{$1}');
      paths[path] = { ...paths[path], [call.method.toLowerCase()]: operationOf(group, name, call) };
    }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Keyfold',
      version: '1',
      description: 'End-to-end encrypted email. The client encrypts bodies, subjects and attachments.',
      license: { name: 'AGPL-3.0-or-later', identifier: 'AGPL-3.0-or-later' },
    },
    servers: [{ url: serverUrl }],
    tags: Object.keys(table).map(name => ({ name })),
    paths,
    components: {
      schemas: { Failure: schemaOf(failureBody, 'output') },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'keyfold_session' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}
