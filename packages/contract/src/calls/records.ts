/**
 * Small items a client stores for all of its user's devices (templates, settings, people written
 * to), sealed by the client. The server sees only kinds, sizes and times.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf, nothing } from '../core/envelope.ts';
import { base64, base64Bytes, id, wholeNumber } from '../core/fields.ts';
import { RECORD_B64_MAX_CHARACTERS, RECORDS_PAGE_MAX } from '../core/limits.ts';
import { rowsOf } from '../core/rows.ts';

export const RECORD_KINDS = ['template', 'setting', 'people', 'contacts'] as const;
const kind = z.enum(RECORD_KINDS);

/**
 * Record in which a client keeps the recipients of a scheduled message, Bcc included. The server
 * removes it once the message is sent, saved as a draft, or removed as a draft.
 */
const SCHEDULED_BCC = 'bcc-';
export const scheduledBccRecord = (mailId: string) =>
  ({ kind: 'setting', id: `${SCHEDULED_BCC}${mailId}` }) as const;

/** Returns the id of the scheduled message that a record belongs to, or null for other records. */
export const findScheduledOf = (kind: string, id: string): string | null =>
  kind === 'setting' && id.startsWith(SCHEDULED_BCC) ? id.slice(SCHEDULED_BCC.length) : null;

export const record = z.object({
  id,
  /** Increases with every change. */
  version: z.number(),
  /** base64(IV12 || AES-256-GCM); opaque to the server. */
  sealed: z.string(),
  /** Keys that the record is sealed under, as named by its writer. */
  key_used: z.string(),
  updated_at: z.string(),
});

export const recordsCalls = {
  list: defineCall({
    method: 'GET',
    path: '/user/records',
    access: 'user',
    about: 'The records of a kind, by ID. `after` continues after an ID.',
    input: z.object({
      kind,
      after: id.optional(),
      count: wholeNumber(1, RECORDS_PAGE_MAX).default(RECORDS_PAGE_MAX),
    }),
    output: dataOf(rowsOf(record)),
  }),
  save: defineCall({
    method: 'PUT',
    path: '/user/records',
    access: 'user',
    about:
      'Creates a record (version 0) or replaces the record with this version. 409 if the stored version differs or the current keys are not `key_used`, 404 for the recipients of a message that is no longer held. A repeat with the same bytes returns the first response.',
    input: z.object({
      kind,
      id,
      version: wholeNumber(0, 2_000_000_000),
      sealed: base64(RECORD_B64_MAX_CHARACTERS),
      /**
       * Required: without it the server could not determine which records still need retired keys,
       * and would destroy those keys too soon.
       */
      key_used: base64Bytes(20),
    }),
    output: dataOf(z.object({ version: z.number() })),
    isRepeatable: true,
  }),
  remove: defineCall({
    method: 'DELETE',
    path: '/user/records',
    access: 'user',
    about: 'Deletes a record. Succeeds if the record does not exist.',
    inQuery: ['kind', 'id'],
    input: z.object({ kind, id }),
    output: nothing,
    isRepeatable: true,
  }),
} as const;
