/**
 * Creates a route for every endpoint of the contract: access check, input, rate limit, handler,
 * response. Handlers implement the endpoints and errors.ts converts errors. Only routes that are
 * not API calls are registered by hand.
 */
import { type Readable, Transform } from 'node:stream';
import type { Call, CallTable } from '@keyfold/contract';
import { withoutEmptyFields } from '@keyfold/contract/empty-fields';
import { AppError } from '@keyfold/contract/errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DiskRoom } from '../adapters/disk-room.ts';
import type { RequestContext } from '../context/call-context.ts';
import type { Deps } from '../context/deps.ts';
import { type Admission, admit } from './access.ts';
import type { BodyBudget } from './body-budget.ts';
import { bodyLimitOf, fileLimitOf } from './body-limits.ts';
import { sendJson } from './compression.ts';
import { sendDownload } from './downloads.ts';
import { toMalformed } from './errors.ts';
import { type OpenStreams, streamEvents } from './events.ts';
import { createExchange } from './http-exchange.ts';
import type { Counted, RateLimiter } from './rate-limiter.ts';
import type { UploadPlaces } from './upload-places.ts';
import { readUpload, type Upload } from './uploads.ts';

type Input = Record<string, unknown>;
type Handler = (input: Input, context: RequestContext) => Promise<unknown>;
/**
 * Handlers by group and name, without their types: app.ts has checked them against the contract.
 */
export type HandlerTable = { readonly [group: string]: { readonly [name: string]: Handler } };

export type MountOptions = {
  readonly deps: Deps;
  readonly limiter: RateLimiter;
  readonly streams: OpenStreams;
  readonly budget: BodyBudget;
  readonly places: UploadPlaces;
  readonly disk: DiskRoom;
};

const isRecord = (value: unknown): value is Input =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns the query of a call that has a body: only the fields that the contract allows there.
 * Throws malformed, naming the fields that are not allowed.
 */
function allowedQuery({ inQuery = [] }: Call, query: Input): Input {
  const problems = Object.keys(query)
    .filter(name => !inQuery.includes(name))
    .map(name => ({ path: name, message: 'Not accepted in the query string' }));
  if (problems.length > 0) throw new AppError('malformed', { problems });
  return query;
}

/** Returns the fields of a request before validation. */
function fieldsOf(call: Call, request: FastifyRequest, upload: Upload | null): unknown {
  const fromPath = isRecord(request.params) ? request.params : {};
  const query = request.query as Input;
  if (call.method === 'GET') return { ...query, ...fromPath };
  if (call.transport === 'signed') return {};
  const body = upload === null ? (request.body ?? {}) : upload.fields;
  if (!isRecord(body)) throw new AppError('malformed');
  return { ...(call.method === 'DELETE' ? allowedQuery(call, query) : {}), ...body, ...fromPath };
}

/** Validates fields as a call's input; empty optional fields are omitted. */
function readInput(call: Call, fields: unknown) {
  const parsed = call.input.safeParse(fields);
  return parsed.success ? parsed : call.input.safeParse(withoutEmptyFields(call.input, fields));
}

function parseInput(call: Call, fields: unknown): Input {
  const parsed = readInput(call, fields);
  if (!parsed.success) throw toMalformed(parsed.error);
  return parsed.data;
}

const countedOf = (input: Input, context: RequestContext, admission: Admission): Counted => ({
  ip: context.ip,
  userId: context.caller?.userId ?? null,
  plan: admission.session?.plan ?? 'free',
  account: typeof input.email === 'string' ? input.email : undefined,
  browserToken: context.cookie('browser'),
});

/**
 * Returns the number of bytes that a body may have: the announced length, or the limit when none is
 * announced.
 */
function expectedBytes(call: Call, request: FastifyRequest): number {
  if (call.method === 'GET') return 0;
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  const announced = coding === undefined ? Number(length ?? 0) : Number.POSITIVE_INFINITY;
  return Math.min(announced, bodyLimitOf(call));
}

/**
 * Counts a body as it arrives; it fails with the error that `add` throws, while the connection
 * stays open for the response.
 */
function countBytes(payload: Readable, add: (sizeBytes: number) => void): Readable {
  const counted = new Transform({
    transform: (chunk: Uint8Array, _encoding, done) => {
      try {
        add(chunk.length);
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
  });
  payload.once('error', error => counted.destroy(error));
  // The reader may have stopped listening by then.
  counted.on('error', () => undefined);
  return payload.pipe(counted);
}

/** Calls `done` when the response is over; at once if the client has already disconnected. */
function whenOver({ raw }: FastifyReply, done: () => void): void {
  if (raw.destroyed) done();
  else raw.once('close', done);
}

/** Bodies up to this size serve to sign in, delete and free storage. */
const SMALL_BODY_MAX_BYTES = 16 * 1024;

/** Returns whether a request uploads data that is stored and takes up storage. */
function isBringing(call: Call, { headers }: FastifyRequest): boolean {
  if (call.transport === 'upload') return true;
  if (call.method === 'GET' || call.transport === 'signed') return false;
  const isUnbounded = headers['content-length'] === undefined && headers['transfer-encoding'] !== undefined;
  return isUnbounded || Number(headers['content-length'] ?? 0) > SMALL_BODY_MAX_BYTES;
}

function mountCall(app: FastifyInstance, name: string, call: Call, handler: Handler, options: MountOptions) {
  const { deps, disk, limiter, streams, budget, places } = options;
  const admissions = new WeakMap<FastifyRequest, Admission>();

  const answer = async (request: FastifyRequest, reply: FastifyReply, upload: Upload | null) => {
    const admission = admissions.get(request);
    if (admission === undefined) throw new Error('A request bypassed the access check');
    const input = parseInput(call, fieldsOf(call, request, upload));
    if (upload !== null && upload.file === undefined) {
      throw new AppError('malformed', { problems: [{ path: 'file', message: 'Required' }] });
    }
    const file = upload?.file && {
      ...upload.file,
      readLater: async () => parseInput(call, { ...upload.fields, ...(await upload.readLater()) }),
    };
    const exchange = createExchange(call, request, reply, admission, file);
    const counted = countedOf(input, exchange.context, admission);
    await limiter.consume(name, counted);
    const output = await handler(input, exchange.context);
    await limiter.succeed(name, counted);
    const special = exchange.special();
    if (special?.kind === 'file') return sendDownload(special.file, request, reply);
    if (special?.kind === 'events') return streamEvents(special.open, request, reply, streams);
    const extra = exchange.extra();
    const text = JSON.stringify({ success: true, ...call.output.parse(output), ...extra });
    // A large page stays in memory until a slow client has read it; a call that has changed
    // something is always answered.
    if (call.method === 'GET' && admission.session !== null)
      whenOver(reply, budget.take(admission.session.userId, text.length));
    void reply.header('cache-control', 'no-store');
    return sendJson(text, Object.keys(extra).length > 0, request, reply);
  };

  app.route({
    method: call.method,
    url: call.path,
    bodyLimit: bodyLimitOf(call),
    config: {
      isSigned: call.transport === 'signed',
      isPublic: call.access === 'public',
      isLasting: call.transport === 'events',
      arrivesWithinMs: call.timeoutMs ?? 0,
    },
    onRequest: async (request, reply) => {
      const admission = await admit(deps, call, request);
      admissions.set(request, admission);
      if (isBringing(call, request) && !(await disk.hasRoom())) throw new AppError('storage_full');
      if (call.transport === 'upload') return;
      // Held until the connection has finished the response, which frees the parsed body.
      if (admission.session !== null)
        whenOver(reply, budget.take(admission.session.userId, expectedBytes(call, request)));
    },
    preParsing: async (request, reply, payload) => {
      const isHeld = call.method !== 'GET' && call.transport !== 'upload';
      if (call.access !== 'public' || !isHeld) return payload;
      const receipt = budget.receive(request.ip, call.transport === 'signed');
      whenOver(reply, receipt.close);
      return countBytes(payload, receipt.add);
    },
    handler: async (request, reply) => {
      if (call.transport !== 'upload') return answer(request, reply, null);
      const leave = places.take(admissions.get(request)?.session?.userId ?? request.ip);
      try {
        const upload = await readUpload(
          request,
          fileLimitOf(call.path),
          deps.config.dataDir,
          fields => readInput(call, fields).success,
        );
        try {
          return await answer(request, reply, upload);
        } finally {
          await upload.finish();
        }
      } finally {
        leave();
      }
    },
  });
}

/** Mounts every endpoint of the table that has a handler. Throws when a handler has no endpoint. */
export function mountCalls(
  app: FastifyInstance,
  table: CallTable,
  handlers: HandlerTable,
  options: MountOptions,
): void {
  for (const [group, byName] of Object.entries(handlers)) {
    for (const [name, handler] of Object.entries(byName)) {
      const call = table[group]?.[name];
      if (call === undefined) throw new Error(`Unknown call ${group}.${name}`);
      mountCall(app, `${group}.${name}`, call, handler, options);
    }
  }
}
