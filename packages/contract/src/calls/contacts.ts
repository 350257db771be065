/**
 * Contacts as the server stores them (docs/spec-map.md 7.62; docs/interpretations.md#61 and #62).
 * Trust data (pinned keys, verifications) and personal details (names, notes, groups) are in a
 * record that the client seals: see docs/adr/0020.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf, nothing } from '../core/envelope.ts';
import { base64Bytes, emailAddress } from '../core/fields.ts';
import { rowsOf } from '../core/rows.ts';
import { contact } from '../core/user.ts';

/** A code as users copy it: letters and digits, in groups, in either case. */
const shareCode = z.string().trim().min(1).max(100);

/**
 * The added contact; `storage_bonus` is the bonus for the account's first contact ever, in bytes,
 * otherwise 0.
 */
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
      'All contacts, starting with the entry of the caller, named Me, and whether the first contact still adds storage. An extension.',
    input: z.object({}),
    output: dataOf(z.object({ contacts: rowsOf(contact), bonus_available: z.boolean() })),
  }),
  generate: defineCall({
    method: 'GET',
    path: '/user/generate',
    access: 'user',
    about:
      'Creates a share code of the caller: 128 random bits, single-use, valid until `expires_at`. Only the page of the client may create one, never a link.',
    input: z.object({}),
    output: dataOf(z.object({ code: z.string(), expires_at: z.string() })),
  }),
  share_state: defineCall({
    method: 'POST',
    path: '/user/generate/state',
    access: 'user',
    about: 'Whether a share code of the caller was used. 404 if it is unknown or has expired.',
    input: z.object({ code: shareCode }),
    output: dataOf(z.object({ used: z.boolean() })),
  }),
  add: defineCall({
    method: 'POST',
    path: '/user/contacts',
    access: 'user',
    about: 'Adds the owner of a share code as a verified contact and uses up the code. 409 for a used code.',
    input: z.object({ code: shareCode }),
    output: added,
  }),
  add_unverified: defineCall({
    method: 'POST',
    path: '/user/unverified_contacts',
    access: 'user',
    about:
      'Adds an address with its keys from the directory, unverified. An existing contact stays unchanged. 404 if no user of this service has the address.',
    input: z.object({ email: emailAddress }),
    output: added,
  }),
  change: defineCall({
    method: 'PUT',
    path: '/user/contacts',
    access: 'user',
    about:
      'Updates a contact to its keys in the directory if they have this fingerprint (409 otherwise), and returns whether the contact is verified. An extension.',
    input: z.object({ email: emailAddress, fingerprint: base64Bytes(20), verified: z.boolean() }),
    output: dataOf(contact),
    isRepeatable: true,
  }),
  remove: defineCall({
    method: 'POST',
    path: '/user/delete_contacts',
    access: 'user',
    about: 'Deletes a contact. 422 for the entry of the caller.',
    input: z.object({ email: emailAddress }),
    output: nothing,
  }),
} as const;
