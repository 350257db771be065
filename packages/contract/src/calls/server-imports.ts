/**
 * Imports run by the server, for users who cannot leave a browser open (docs/spec-map.md 7.52,
 * docs/api-conventions.md, docs/interpretations.md#26): an uploaded PST file, or a mailbox at
 * another provider fetched over IMAP. The server sees the plaintext while it reads, and the client
 * warns about this first. Files are usually read in the browser instead.
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

/** Progress states of an import. */
const SERVER_IMPORT_STATES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;

/** Reasons why an item was not imported. */
const ITEM_FAILURES = ['damaged', 'cut_short', 'too_large', 'encrypted', 'unsupported'] as const;

/**
 * Reasons why an import failed before it completed: for both kinds, for a file, for a mailbox at
 * another provider.
 */
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

/** Destinations for a folder's mail; `tag`: the archive, with the folder's name as a tag. */
export const IMAP_PLACES = ['inbox', 'tag', 'sent', 'drafts', 'archive', 'spam', 'deleted'] as const;

/** Prevents a value from ending its protocol line. */
const oneLine = /^\P{Cc}+$/u;

const folderName = z.string().min(1).max(IMAP_FOLDER_NAME_MAX_CHARACTERS).regex(oneLine);

/** Location and credentials of a mailbox. */
const imapLogin = z.object({
  /** Host name, or IP address without brackets. */
  host: z
    .string()
    .trim()
    .toLowerCase()
    .min(1)
    .max(IMAP_HOST_MAX_CHARACTERS)
    .regex(/^[a-z0-9._:-]+$/),
  port: z.number().int().min(1).max(65_535),
  /** TLS from the first byte, or STARTTLS before the login; never unencrypted. */
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
      'Accepts a PST file (part `file`, or any other name) for import by the server, which sees its plaintext during the import. One import at a time. The file is stored encrypted and deleted after the import.',
    input: z.object({
      /**
       * JSON: `folders_as_tags`, true by default, tags each message with its folder. May follow the
       * file.
       */
      import_options: z.string().max(1_000).optional(),
    }),
    output: dataOf(z.object({ import_id: id })),
    transport: 'upload',
    // The specification's 30 seconds apply to the response once the file is uploaded; uploading
    // gigabytes takes hours.
    timeoutMs: 6 * 60 * 60 * 1000,
  }),
  imap_folders: defineCall({
    method: 'POST',
    path: '/user/import/imap/folders',
    access: 'user',
    about:
      'Signs in to a mailbox at another provider and lists its folders, with message counts and target folders. Stores nothing.',
    input: imapLogin,
    output: dataOf(
      z.object({
        folders: rowsOf(
          z.object({
            /** Name to pass to `start_imap`. */
            name: z.string(),
            /** Folder names from outermost to innermost. */
            path: z.array(z.string()),
            /** Null when the server did not report it, or not in time. */
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
      'Imports a mailbox at another provider. The server reads it over IMAP and sees its plaintext during the import. One import at a time. User name and password are stored encrypted during the import and deleted when it ends. Nothing changes at the other provider.',
    input: imapLogin.extend({
      /** Names from `imap_folders`; null for all. */
      folders: z.array(folderName).min(1).max(IMAP_FOLDERS_MAX).nullable().default(null),
      /** Imports only mail from this day on. */
      since: z.iso.date().nullable().default(null),
      /**
       * Whether messages from a folder without a destination of its own are tagged with the
       * folder's name.
       */
      folders_as_tags: z.boolean().default(true),
    }),
    output: dataOf(z.object({ import_id: id })),
  }),
  status: defineCall({
    method: 'GET',
    path: '/user/import/status/:id',
    access: 'user',
    about: 'The progress of an import by the server.',
    input: z.object({ id }),
    output: dataOf(
      z.object({
        kind: z.enum(['pst', 'imap']),
        status: z.enum(SERVER_IMPORT_STATES),
        /** Number of items, as far as the folders report it; 0 until known. */
        total: z.number(),
        processed: z.number(),
        imported: z.number(),
        /**
         * Messages already in the mailbox, and contacts, because only the owner's browser can seal
         * an address book.
         */
        skipped: z.number(),
        failed: z.number(),
        /** First hundred failed items, by position in reading order; names are not kept. */
        errors: rowsOf(z.object({ item: z.number(), reason: z.enum(ITEM_FAILURES) })),
        /** Reason for the failure, if the import failed. */
        failure: z.enum(SERVER_IMPORT_FAILURES).nullable(),
      }),
    ),
  }),
  cancel: defineCall({
    method: 'DELETE',
    path: '/user/import/:id',
    access: 'user',
    about:
      'Cancels an import and deletes its file or password. Imported messages remain. A finished import stays unchanged.',
    input: z.object({ id }),
    output: dataOf(z.object({})),
  }),
} as const;
