/**
 * A PST file that the server reads, for those who cannot leave a browser open for it (Spec §7, api.md, readings 26). The
 * server sees its plaintext while it reads: the client says so before. Reading in the browser is the usual way.
 */
import { z } from 'zod';
import { defineCall } from './call.ts';
import { dataOf } from './envelope.ts';
import { id } from './fields.ts';

/** How far an import is. */
const PST_IMPORT_STATES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;

/** Why one thing of a file was not brought in. */
const PST_ITEM_FAILURES = ['damaged', 'cut_short', 'too_large', 'encrypted', 'unsupported'] as const;

/** Why an import ended before its file did. */
const PST_IMPORT_FAILURES = [
  'not_this_format',
  'too_short',
  'damaged',
  'looping',
  'too_large',
  'too_slow',
  'encrypted',
  'unsupported',
  'quota_exceeded',
  'lost',
] as const;

export const pstImports = {
  start: defineCall({
    method: 'POST',
    path: '/user/import/pst',
    access: 'user',
    about:
      'Takes a PST file (part `file`, or by any other name) to be read by the server, which sees its plaintext meanwhile. One at a time; the file waits encrypted and is removed when it was read.',
    input: z.object({
      /** JSON: `folders_as_tags`, true unless said otherwise, gives each mail its folder as a tag. May follow the file. */
      import_options: z.string().max(1_000).optional(),
    }),
    output: dataOf(z.object({ import_id: id })),
    transport: 'upload',
    // The specification's 30 seconds are for an answer once the file is there; a file of gigabytes takes hours to send.
    timeoutMs: 6 * 60 * 60 * 1000,
  }),
  status: defineCall({
    method: 'GET',
    path: '/user/import/status/:id',
    access: 'user',
    about: 'How far an import by the server is.',
    input: z.object({ id }),
    output: dataOf(
      z.object({
        status: z.enum(PST_IMPORT_STATES),
        /** Things in the file, as far as its folders tell; 0 until that is known. */
        total: z.number(),
        processed: z.number(),
        imported: z.number(),
        /** What the mailbox has already, and contacts: an address book is sealed by its owner's browser. */
        skipped: z.number(),
        failed: z.number(),
        /** The first hundred things that failed, by their place in the file; names are not kept. */
        errors: z.array(z.object({ item: z.number(), reason: z.enum(PST_ITEM_FAILURES) })),
        /** Why it ended, when it failed. */
        failure: z.enum(PST_IMPORT_FAILURES).nullable(),
      }),
    ),
  }),
  cancel: defineCall({
    method: 'DELETE',
    path: '/user/import/:id',
    access: 'user',
    about:
      'Ends an import and removes its file; what was brought in stays. An import that has ended stays as it is.',
    input: z.object({ id }),
    output: dataOf(z.object({})),
  }),
} as const;

export const pstImportApi = { pst_imports: pstImports } as const;
