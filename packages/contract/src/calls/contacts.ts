/**
 * Contacts as the server keeps them (docs/spec-map.md 7.62; docs/interpretations.md#61 and #62). What a client trusts of a
 * contact (pinned keys, marks of verification) and what it says about people (names, notes, groups) is in a record that it seals:
 * see docs/adr/0020.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf, nothing } from '../core/envelope.ts';
import { base64Bytes, emailAddress } from '../core/fields.ts';
import { rowsOf } from '../core/rows.ts';
import { contact } from '../core/user.ts';

/** A code as people copy it: letters and digits, in groups, in either case. */
const shareCode = z.string().trim().min(1).max(100);

/** The contact as it was added; `storage_bonus` is what the first contact ever brought, in bytes, else 0. */
const added = dataOf(
  contact.extend({
    verified: z.boolean(),
    storage_bonus: z.number(),
  }),
);

export const contactsCalls = {
  list: defineCall({
    method: 'GET',
    path: '/user/contacts',
    access: 'user',
    about:
      "All contacts, one's own entry first, named Me; whether the first one still brings extra storage. An extension.",
    input: z.object({}),
    output: dataOf(z.object({ contacts: rowsOf(contact), bonus_available: z.boolean() })),
  }),
  generate: defineCall({
    method: 'GET',
    path: '/user/generate',
    access: 'user',
    about:
      "A share code of one's own: 128 random bits, good once and until `expires_at`. Made by the client's page alone, never by a link.",
    input: z.object({}),
    output: dataOf(z.object({ code: z.string(), expires_at: z.string() })),
  }),
  share_state: defineCall({
    method: 'POST',
    path: '/user/generate/state',
    access: 'user',
    about: "Whether one's own share code was used. 404 when it is unknown or has expired.",
    input: z.object({ code: shareCode }),
    output: dataOf(z.object({ used: z.boolean() })),
  }),
  add: defineCall({
    method: 'POST',
    path: '/user/contacts',
    access: 'user',
    about:
      'Adds the owner of a share code as a verified contact; the code is spent. 409 for a code that was used.',
    input: z.object({ code: shareCode }),
    output: added,
  }),
  add_unverified: defineCall({
    method: 'POST',
    path: '/user/unverified_contacts',
    access: 'user',
    about:
      'Adds an address with the keys of the directory, not verified. One that is a contact already stays as it is. 404 when nobody here has the address.',
    input: z.object({ email: emailAddress }),
    output: added,
  }),
  change: defineCall({
    method: 'PUT',
    path: '/user/contacts',
    access: 'user',
    about:
      'Takes the keys of the directory for a contact, if they have this fingerprint (409 otherwise), and says whether the contact is verified. An extension.',
    input: z.object({ email: emailAddress, fingerprint: base64Bytes(20), verified: z.boolean() }),
    output: dataOf(contact),
    isRepeatable: true,
  }),
  remove: defineCall({
    method: 'POST',
    path: '/user/delete_contacts',
    access: 'user',
    about: "Removes a contact. One's own entry stays: 422.",
    input: z.object({ email: emailAddress }),
    output: nothing,
  }),
} as const;
