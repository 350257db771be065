/**
 * Domains that users bring along (docs/spec-map.md 5, 7, docs/api-conventions.md; docs/interpretations.md#64, #65 and #91):
 * proving them, the DNS records they need with what was found of each, catch-all, primary and main. The list and new signing keys
 * are extensions.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf, nothing } from '../core/envelope.ts';
import { domainName, emailAddress } from '../core/fields.ts';
import { USERNAME_MAX_CHARACTERS } from '../core/limits.ts';
import { rowsOf } from '../core/rows.ts';

/** What a record is for. The last two are recommended, the others needed. */
export const RECORD_PURPOSES = ['ownership', 'mx', 'spf', 'dkim', 'dmarc', 'mta_sts', 'tls_rpt'] as const;

/** What to do about a record that is not as it should be. */
export const RECORD_ADVICE = [
  'add',
  'replace',
  'merge',
  'keep_one',
  'remove_others',
  'held_elsewhere',
  'ask_again',
] as const;

const domainRecord = z.object({
  purpose: z.enum(RECORD_PURPOSES),
  type: z.enum(['TXT', 'MX', 'CNAME']),
  /** The whole name. */
  name: z.string(),
  /** The name as most providers want it: without the domain, `@` for the domain itself. */
  host: z.string(),
  value: z.string(),
  /** Of an MX record. */
  priority: z.number().optional(),
  /** What stands there instead, or beside it. */
  found: z.array(z.string()),
  /** Whether it was as it should be when DNS last gave an answer. */
  ok: z.boolean(),
  /** unknown: DNS gave no answer at the last look. */
  state: z.enum(['found', 'waiting', 'different', 'unknown']),
  advice: z.enum(RECORD_ADVICE).optional(),
  is_required: z.boolean(),
});
export type DomainRecord = z.infer<typeof domainRecord>;

const domainInfo = z.object({
  domain: z.string(),
  /** Whether it is proved to be the caller's. */
  verified: z.boolean(),
  primary: z.boolean(),
  /** Whether the main address is at it. */
  main: z.boolean(),
  /** The address that takes mail to unknown ones; empty when it is off. */
  catchall: z.string(),
  /** Whether all needed records were there at the last look; null before the first. */
  healthy: z.boolean().nullable(),
  checked_at: z.iso.datetime().nullable(),
  verified_at: z.iso.datetime().nullable(),
  /** Since when the ownership record of a proved domain has been gone. */
  missing_since: z.iso.datetime().nullable(),
  /** The caller's addresses at it. */
  addresses: z.array(z.string()),
  records: rowsOf(domainRecord),
});
export type DomainInfo = z.infer<typeof domainInfo>;

const named = z.object({ domain: domainName });

export const domainsCalls = {
  list: defineCall({
    method: 'GET',
    path: '/user/domains',
    access: 'user',
    about: 'All domains of the caller with what the last look found; DNS is not asked.',
    input: z.object({}),
    output: dataOf(rowsOf(domainInfo)),
  }),
  register: defineCall({
    method: 'POST',
    path: '/user/domain/register',
    access: 'user',
    about:
      'Claims a domain and answers the records to publish; it is the caller’s once the ownership record is seen.',
    input: named,
    output: dataOf(domainInfo),
  }),
  remove: defineCall({
    method: 'POST',
    path: '/user/domain/delete',
    access: 'user',
    about:
      'Removes a domain with its addresses; refused for the primary one and for that of the main address.',
    input: named,
    output: nothing,
  }),
  info: defineCall({
    method: 'GET',
    path: '/user/domain/info',
    access: 'user',
    about: 'A domain with its records and what the last look found of each; DNS is not asked.',
    input: named,
    output: dataOf(domainInfo),
  }),
  validation_record: defineCall({
    method: 'GET',
    path: '/user/domain/validation_record',
    access: 'user',
    about: 'The TXT record that proves the domain to be the caller’s.',
    input: named,
    output: dataOf(
      z.object({
        type: z.literal('TXT'),
        name: z.string(),
        host: z.string(),
        value: z.string(),
        verified: z.boolean(),
      }),
    ),
  }),
  readiness: defineCall({
    method: 'GET',
    path: '/user/check_domain_readiness',
    access: 'user',
    about: 'Asks DNS for all records of a domain and says whether the needed ones are there.',
    input: named,
    output: dataOf(domainInfo.extend({ ready: z.boolean() })),
    timeoutMs: 20_000,
  }),
  health: defineCall({
    method: 'GET',
    path: '/user/domain/health',
    access: 'user',
    about: 'As info, with DNS asked anew.',
    input: named,
    output: dataOf(domainInfo),
    timeoutMs: 20_000,
  }),
  address: defineCall({
    method: 'POST',
    path: '/user/domain/address',
    access: 'user',
    about: 'Makes an address at a proved domain of the caller’s.',
    input: z.object({ username: z.string().trim().min(1).max(USERNAME_MAX_CHARACTERS), domain: domainName }),
    output: dataOf(z.object({ address: z.string() })),
  }),
  change: defineCall({
    method: 'POST',
    path: '/user/domain/change',
    access: 'user',
    about: 'Moves an alias to another domain; the old one stops.',
    input: z.object({ address: emailAddress, domain: domainName }),
    output: dataOf(z.object({ address: z.string() })),
  }),
  set_primary: defineCall({
    method: 'POST',
    path: '/user/domain/set_primary',
    access: 'user',
    about:
      'Makes a domain the one that is offered first; a domain of the service makes none of one’s own primary.',
    input: named,
    output: dataOf(z.object({ primary_domain: z.string() })),
  }),
  change_main: defineCall({
    method: 'POST',
    path: '/user/domain/change_main',
    access: 'user',
    about: 'Moves the main address to a domain. One goes on logging in with the first address, kdf_email.',
    input: named,
    output: dataOf(z.object({ email: z.string() })),
  }),
  catchall: defineCall({
    method: 'POST',
    path: '/user/domain/catchall',
    access: 'user',
    about:
      'Lets an address of the caller’s take mail to unknown ones at a domain; an empty one switches that off.',
    input: z.object({ domain: domainName, address: z.union([z.literal(''), emailAddress]) }),
    output: dataOf(z.object({ catchall: z.string() })),
  }),
  new_key: defineCall({
    method: 'POST',
    path: '/user/domain/new_key',
    access: 'user',
    about:
      'Makes a new DKIM key for a domain. Mail is signed with the old one until the record of the new one is seen.',
    input: named,
    output: dataOf(domainInfo),
  }),
} as const;
