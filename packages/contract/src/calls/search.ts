/**
 * Segments of the client's search index, sealed by the client, so that a second device need not read all mail again. The
 * server sees how many there are, their sizes and times.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf, nothing } from '../core/envelope.ts';
import { base64, id } from '../core/fields.ts';
import { SEGMENT_HEAD_B64_MAX_CHARACTERS, SEGMENT_REPLACES_MAX_CHARACTERS } from '../core/limits.ts';
import { rowsOf } from '../core/rows.ts';

/** What of a segment is sealed apart, so that a device knows whether it needs the rest: base64, a few hundred bytes. */
const head = base64(SEGMENT_HEAD_B64_MAX_CHARACTERS);

/** Ids of segments with commas between them: a form has texts only. */
const idNames = z
  .string()
  .max(SEGMENT_REPLACES_MAX_CHARACTERS)
  .regex(/^[A-Za-z0-9_-]+(,[A-Za-z0-9_-]+)*$/);

export const searchCalls = {
  segments: defineCall({
    method: 'GET',
    path: '/user/search/segments',
    access: 'user',
    about: 'Every segment that is kept, oldest first.',
    input: z.object({}),
    output: dataOf(rowsOf(z.object({ id, size: z.number(), head: z.string(), created_at: z.string() }))),
  }),
  add_segment: defineCall({
    method: 'POST',
    path: '/user/search/segments',
    access: 'user',
    about: 'Keeps a segment; `replaces` names those that it was merged from, which go in the same moment.',
    input: z.object({ head, replaces: idNames.optional() }),
    output: dataOf(z.object({ id, size: z.number() })),
    transport: 'upload',
    timeoutMs: 600_000,
  }),
  segment: defineCall({
    method: 'GET',
    path: '/user/search/segments/:id',
    access: 'user',
    about: 'The sealed bytes of a segment; understands Range.',
    input: z.object({ id }),
    output: z.object({}),
    transport: 'download',
    timeoutMs: 600_000,
  }),
  remove_segments: defineCall({
    method: 'DELETE',
    path: '/user/search/segments',
    access: 'user',
    about: 'Forgets every segment; the clients build them anew.',
    input: z.object({}),
    output: nothing,
  }),
} as const;
