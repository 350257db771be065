/**
 * Imports that the server does, for those who cannot leave a browser open for it (docs/spec-map.md 7.52, docs/api-conventions.md,
 * docs/interpretations.md#26): a PST file that it reads, and the mailbox at another provider that it fetches by IMAP. The server
 * sees the plaintext while it reads: the client says so before. Reading files in the browser is the usual way.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf } from '../core/envelope.ts';
import { id } from '../core/fields.ts';
import {
  IMAP_FOLDER_NAME_MAX_CHARACTERS,
  IMAP_FOLDERS_MAX,
  IMAP_HOST_MAX_CHARACTERS,
  IMAP_PASSWORD_MAX_CHARACTERS,
  IMAP_USER_MAX_CHARACTERS,
} from '../core/limits.ts';
import { rowsOf } from '../core/rows.ts';

/** How far an import is. */
const SERVER_IMPORT_STATES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;

/** Why one thing was not brought in. */
const ITEM_FAILURES = ['damaged', 'cut_short', 'too_large', 'encrypted', 'unsupported'] as const;

/** Why an import ended before its end: of both kinds, of a file, of a mailbox at another provider. */
const SERVER_IMPORT_FAILURES = [
  'too_large',
  'too_slow',
  'quota_exceeded',
  'lost',
  'not_this_format',
  'too_short',
  'damaged',
  'looping',
  'encrypted',
  'unsupported',
  'login_refused',
  'unreachable',
  'address_refused',
  'certificate',
  'no_tls',
  'not_understood',
  'suspended',
] as const;

/** Where the mail of a folder goes; `tag`: into the archive, with the folder's name as a tag. */
export const IMAP_PLACES = ['inbox', 'tag', 'sent', 'drafts', 'archive', 'spam', 'deleted'] as const;

/** What goes into a line of the protocol must not end it. */
const oneLine = /^\P{Cc}+$/u;

const folderName = z.string().min(1).max(IMAP_FOLDER_NAME_MAX_CHARACTERS).regex(oneLine);

/** Where a mailbox is, and what opens it. */
const imapLogin = z.object({
  /** A name, or an address without brackets. */
  host: z
    .string()
    .trim()
    .toLowerCase()
    .min(1)
    .max(IMAP_HOST_MAX_CHARACTERS)
    .regex(/^[a-z0-9._:-]+$/),
  port: z.number().int().min(1).max(65_535),
  /** TLS from the first byte, or asked for before the login; never without. */
  security: z.enum(['tls', 'starttls']),
  user: z.string().min(1).max(IMAP_USER_MAX_CHARACTERS).regex(oneLine),
  password: z.string().min(1).max(IMAP_PASSWORD_MAX_CHARACTERS).regex(oneLine),
});

export const serverImportsCalls = {
  start_pst: defineCall({
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
  imap_folders: defineCall({
    method: 'POST',
    path: '/user/import/imap/folders',
    access: 'user',
    about:
      'Signs in to the mailbox at another provider and lists its folders, with how many messages each has and where its mail would go. Nothing is kept of it.',
    input: imapLogin,
    output: dataOf(
      z.object({
        folders: rowsOf(
          z.object({
            /** What `start_imap` takes. */
            name: z.string(),
            /** Names from the outermost folder to the innermost. */
            path: z.array(z.string()),
            /** null where the server did not tell, or not in time. */
            count: z.number().nullable(),
            place: z.enum(IMAP_PLACES),
          }),
        ),
      }),
    ),
    timeoutMs: 150_000,
  }),
  start_imap: defineCall({
    method: 'POST',
    path: '/user/import/imap',
    access: 'user',
    about:
      'Brings in the mail of a mailbox at another provider, which the server reads over IMAP and sees meanwhile. One at a time. User name and password are kept sealed while it runs and forgotten when it ends. Nothing changes at the other provider.',
    input: imapLogin.extend({
      /** Names from `imap_folders`; null for all. */
      folders: z.array(folderName).min(1).max(IMAP_FOLDERS_MAX).nullable().default(null),
      /** The day from which on mail is wanted. */
      since: z.iso.date().nullable().default(null),
      /** Whether mail of a folder that is no place of its own gets the folder's name as a tag. */
      folders_as_tags: z.boolean().default(true),
    }),
    output: dataOf(z.object({ import_id: id })),
  }),
  status: defineCall({
    method: 'GET',
    path: '/user/import/status/:id',
    access: 'user',
    about: 'How far an import by the server is.',
    input: z.object({ id }),
    output: dataOf(
      z.object({
        kind: z.enum(['pst', 'imap']),
        status: z.enum(SERVER_IMPORT_STATES),
        /** Things there are, as far as folders tell; 0 until that is known. */
        total: z.number(),
        processed: z.number(),
        imported: z.number(),
        /** What the mailbox has already, and contacts: an address book is sealed by its owner's browser. */
        skipped: z.number(),
        failed: z.number(),
        /** The first hundred things that failed, by their place in the order of reading; names are not kept. */
        errors: rowsOf(z.object({ item: z.number(), reason: z.enum(ITEM_FAILURES) })),
        /** Why it ended, when it failed. */
        failure: z.enum(SERVER_IMPORT_FAILURES).nullable(),
      }),
    ),
  }),
  cancel: defineCall({
    method: 'DELETE',
    path: '/user/import/:id',
    access: 'user',
    about:
      'Ends an import and removes its file, or forgets its password; what was brought in stays. An import that has ended stays as it is.',
    input: z.object({ id }),
    output: dataOf(z.object({})),
  }),
} as const;
