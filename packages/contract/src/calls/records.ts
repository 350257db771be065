/**
 * Small things a client keeps for itself on all its devices (templates, settings, people it wrote to), sealed by the
 * client: the server sees kinds, sizes and times.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf, nothing } from '../core/envelope.ts';
import { base64, base64Bytes, id, wholeNumber } from '../core/fields.ts';
import { RECORD_B64_MAX_CHARACTERS, RECORDS_PAGE_MAX } from '../core/limits.ts';
import { rowsOf } from '../core/rows.ts';

export const RECORD_KINDS = ['template', 'setting', 'people', 'contacts'] as const;
const kind = z.enum(RECORD_KINDS);

/** The record in which a client keeps who a scheduled mail goes to, Bcc too; the server removes it when the mail has gone, or is saved or removed as a draft. */
const SCHEDULED_BCC = 'bcc-';
export const scheduledBccRecord = (mailId: string) =>
  ({ kind: 'setting', id: `${SCHEDULED_BCC}${mailId}` }) as const;

/** The scheduled mail that a record belongs to; null for other records. */
export const findScheduledOf = (kind: string, id: string): string | null =>
  kind === 'setting' && id.startsWith(SCHEDULED_BCC) ? id.slice(SCHEDULED_BCC.length) : null;

export const record = z.object({
  id,
  /** Grows with every change. */
  version: z.number(),
  /** base64(IV12 || AES-256-GCM); opaque to the server. */
  sealed: z.string(),
  /** The keys that it is sealed under, as its writer named them. */
  key_used: z.string(),
  updated_at: z.string(),
});

export const recordsCalls = {
  list: defineCall({
    method: 'GET',
    path: '/user/records',
    access: 'user',
    about: 'The records of a kind by id; `after` continues after an id.',
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
      'Makes a record (version 0) or replaces the one that has this version; 409 when another is there, or other keys than `key_used` are in use, 404 for the people of a mail that waits no more. The same bytes again are answered as the first time.',
    input: z.object({
      kind,
      id,
      version: wholeNumber(0, 2_000_000_000),
      sealed: base64(RECORD_B64_MAX_CHARACTERS),
      /** Without it nobody could tell which records replaced keys still open, and these would be destroyed too soon. */
      key_used: base64Bytes(20),
    }),
    output: dataOf(z.object({ version: z.number() })),
    isRepeatable: true,
  }),
  remove: defineCall({
    method: 'DELETE',
    path: '/user/records',
    access: 'user',
    about: 'Removes a record; one that is not there is no error.',
    inQuery: ['kind', 'id'],
    input: z.object({ kind, id }),
    output: nothing,
    isRepeatable: true,
  }),
} as const;
