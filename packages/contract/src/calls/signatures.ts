/**
 * Signatures (docs/spec-map.md 3.34, 6.09, 7.68; docs/interpretations.md#92): HTML, sanitized by
 * both client and server, and the same content as plain text.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf, nothing } from '../core/envelope.ts';
import { id, plainText } from '../core/fields.ts';
import { SIGNATURE_HTML_MAX_CHARACTERS, SIGNATURE_TEXT_MAX_CHARACTERS } from '../core/limits.ts';
import { rowsOf } from '../core/rows.ts';

const content = {
  name: plainText(100).min(1),
  html_content: z.string().max(SIGNATURE_HTML_MAX_CHARACTERS),
  plain_text: z.string().max(SIGNATURE_TEXT_MAX_CHARACTERS),
  /**
   * At most one signature is the default; saving one as the default clears the flag on the others.
   */
  is_default: z.boolean().default(false),
};
export const signature = z.object({ id, ...content });
export type Signature = z.infer<typeof signature>;

export const signaturesCalls = {
  list: defineCall({
    method: 'GET',
    path: '/user/signatures',
    access: 'user',
    about: 'All signatures by name.',
    input: z.object({}),
    output: dataOf(rowsOf(signature)),
  }),
  create: defineCall({
    method: 'POST',
    path: '/user/signatures',
    access: 'user',
    about: 'Creates a signature.',
    input: z.object(content),
    output: dataOf(signature),
  }),
  change: defineCall({
    method: 'PUT',
    path: '/user/signatures',
    access: 'user',
    about: 'Replaces a signature.',
    input: z.object({ id, ...content }),
    output: dataOf(signature),
    isRepeatable: true,
  }),
  remove: defineCall({
    method: 'DELETE',
    path: '/user/signatures',
    access: 'user',
    about: 'Deletes a signature. The ID may also be in the query string.',
    inQuery: ['id'],
    input: z.object({ id }),
    output: nothing,
  }),
} as const;
