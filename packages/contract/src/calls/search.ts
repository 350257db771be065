/**
 * Segments of the client's search index, sealed by the client, so that a second device need not
 * read all mail again. The server sees only their number, sizes and times.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf, nothing } from '../core/envelope.ts';
import { base64, id } from '../core/fields.ts';
import { SEGMENT_HEAD_B64_MAX_CHARACTERS, SEGMENT_REPLACES_MAX_CHARACTERS } from '../core/limits.ts';
import { rowsOf } from '../core/rows.ts';

/**
 * Separately sealed head of a segment, which tells a device whether it needs the rest: base64, a
 * few hundred bytes.
 */
const head = base64(SEGMENT_HEAD_B64_MAX_CHARACTERS);

/** Comma-separated segment ids, because a form carries only text. */
const idNames = z
  .string()
  .max(SEGMENT_REPLACES_MAX_CHARACTERS)
  .regex(/^[A-Za-z0-9_-]+(,[A-Za-z0-9_-]+)*$/);

export const searchCalls = {
  segments: defineCall({
    method: 'GET',
    path: '/user/search/segments',
    access: 'user',
    about: 'All stored segments, oldest first.',
    input: z.object({}),
    output: dataOf(rowsOf(z.object({ id, size: z.number(), head: z.string(), created_at: z.string() }))),
  }),
  add_segment: defineCall({
    method: 'POST',
    path: '/user/search/segments',
    access: 'user',
    about: 'Stores a segment and atomically deletes the segments in `replaces`, from which it was merged.',
    input: z.object({ head, replaces: idNames.optional() }),
    output: dataOf(z.object({ id, size: z.number() })),
    transport: 'upload',
    timeoutMs: 600_000,
  }),
  segment: defineCall({
    method: 'GET',
    path: '/user/search/segments/:id',
    access: 'user',
    about: 'The encrypted content of a segment. Supports Range.',
    input: z.object({ id }),
    output: z.object({}),
    transport: 'download',
    timeoutMs: 600_000,
  }),
  remove_segments: defineCall({
    method: 'DELETE',
    path: '/user/search/segments',
    access: 'user',
    about: 'Deletes all segments. Clients rebuild them.',
    input: z.object({}),
    output: nothing,
  }),
} as const;
