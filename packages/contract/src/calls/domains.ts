/**
 * Users' own domains (docs/spec-map.md 5, 7, docs/api-conventions.md; docs/interpretations.md#64,
 * #65 and #91): verification, the required DNS records with the state found for each, catch-all,
 * primary and main. The list and new signing keys are extensions.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf, nothing } from '../core/envelope.ts';
import { domainName, emailAddress } from '../core/fields.ts';
import { USERNAME_MAX_CHARACTERS } from '../core/limits.ts';
import { rowsOf } from '../core/rows.ts';

/** Purpose of a record. The last two are recommended, the others required. */
export const RECORD_PURPOSES = ['ownership', 'mx', 'spf', 'dkim', 'dmarc', 'mta_sts', 'tls_rpt'] as const;

/** What to do about an incorrect record. */
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
  /** The full name. */
  name: z.string(),
  /** The name as most providers expect it: without the domain, `@` for the domain itself. */
  host: z.string(),
  value: z.string(),
  /** Priority of an MX record. */
  priority: z.number().optional(),
  /** Values found instead of the expected one, or beside it. */
  found: z.array(z.string()),
  /** Whether the record was correct when DNS last answered. */
  ok: z.boolean(),
  /** unknown: DNS did not answer at the last check. */
  state: z.enum(['found', 'waiting', 'different', 'unknown']),
  advice: z.enum(RECORD_ADVICE).optional(),
  is_required: z.boolean(),
});
export type DomainRecord = z.infer<typeof domainRecord>;

const domainInfo = z.object({
  domain: z.string(),
  /** Whether the domain is verified as the caller's. */
  verified: z.boolean(),
  primary: z.boolean(),
  /** Whether the main address is at this domain. */
  main: z.boolean(),
  /** The address that receives mail for unknown addresses; empty when catch-all is off. */
  catchall: z.string(),
  /** Whether all required records were present at the last check; null before the first. */
  healthy: z.boolean().nullable(),
  checked_at: z.iso.datetime().nullable(),
  verified_at: z.iso.datetime().nullable(),
  /** When the ownership record of a verified domain was first missing. */
  missing_since: z.iso.datetime().nullable(),
  /** The caller's addresses at this domain. */
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
    about: 'All domains of the caller with the findings of the last check. Does not query DNS.',
    input: z.object({}),
    output: dataOf(rowsOf(domainInfo)),
  }),
  register: defineCall({
    method: 'POST',
    path: '/user/domain/register',
    access: 'user',
    about:
      'Claims a domain and returns the records to publish. The domain belongs to the caller once the ownership record is found.',
    input: named,
    output: dataOf(domainInfo),
  }),
  remove: defineCall({
    method: 'POST',
    path: '/user/domain/delete',
    access: 'user',
    about:
      'Deletes a domain and its addresses. Refused for the primary domain and for the domain of the main address.',
    input: named,
    output: nothing,
  }),
  info: defineCall({
    method: 'GET',
    path: '/user/domain/info',
    access: 'user',
    about: 'A domain with its records and the findings of the last check. Does not query DNS.',
    input: named,
    output: dataOf(domainInfo),
  }),
  validation_record: defineCall({
    method: 'GET',
    path: '/user/domain/validation_record',
    access: 'user',
    about: 'The TXT record that proves that the caller owns the domain.',
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
    about: 'Queries DNS for all records of a domain and returns whether the required records are present.',
    input: named,
    output: dataOf(domainInfo.extend({ ready: z.boolean() })),
    timeoutMs: 20_000,
  }),
  health: defineCall({
    method: 'GET',
    path: '/user/domain/health',
    access: 'user',
    about: 'Same as info, after a new DNS check.',
    input: named,
    output: dataOf(domainInfo),
    timeoutMs: 20_000,
  }),
  address: defineCall({
    method: 'POST',
    path: '/user/domain/address',
    access: 'user',
    about: 'Creates an address at a verified domain of the caller.',
    input: z.object({ username: z.string().trim().min(1).max(USERNAME_MAX_CHARACTERS), domain: domainName }),
    output: dataOf(z.object({ address: z.string() })),
  }),
  change: defineCall({
    method: 'POST',
    path: '/user/domain/change',
    access: 'user',
    about: 'Moves an alias to another domain. The old address stops receiving mail.',
    input: z.object({ address: emailAddress, domain: domainName }),
    output: dataOf(z.object({ address: z.string() })),
  }),
  set_primary: defineCall({
    method: 'POST',
    path: '/user/domain/set_primary',
    access: 'user',
    about:
      'Makes a domain the default for new addresses. A domain of the service makes none of the caller’s domains primary.',
    input: named,
    output: dataOf(z.object({ primary_domain: z.string() })),
  }),
  change_main: defineCall({
    method: 'POST',
    path: '/user/domain/change_main',
    access: 'user',
    about: 'Moves the main address to a domain. Users still sign in with their first address, kdf_email.',
    input: named,
    output: dataOf(z.object({ email: z.string() })),
  }),
  catchall: defineCall({
    method: 'POST',
    path: '/user/domain/catchall',
    access: 'user',
    about:
      'Sets the address of the caller that receives mail to unknown addresses of a domain. An empty address turns this off.',
    input: z.object({ domain: domainName, address: z.union([z.literal(''), emailAddress]) }),
    output: dataOf(z.object({ catchall: z.string() })),
  }),
  new_key: defineCall({
    method: 'POST',
    path: '/user/domain/new_key',
    access: 'user',
    about:
      'Creates a new DKIM key for a domain. Mail is signed with the old key until the record of the new key is found.',
    input: named,
    output: dataOf(domainInfo),
  }),
} as const;
