/**
 * Calls of the console (docs/spec-map.md 6, 7; docs/api-conventions.md#admin): whether the caller
 * is an admin, the token of admin calls, statistics, users, actions on their accounts, and the
 * audit log. No answer contains the content of any user's mail.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf } from '../core/envelope.ts';
import { wholeNumber } from '../core/fields.ts';
import {
  ADMIN_LEVELS,
  ADMIN_PAGE_MAX,
  ADMIN_PAGE_SIZE_DEFAULT,
  ADMIN_PAGE_SIZE_MAX,
  ADMIN_SEARCH_MAX_CHARACTERS,
  AUDIT_PAGE_MAX,
  EMAIL_MAX_CHARACTERS,
  SUSPENSION_REASON_MAX_CHARACTERS,
  SUSPENSION_REASON_MIN_CHARACTERS,
} from '../core/limits.ts';
import { AUDIT_ACTIONS } from '../core/log-actions.ts';
import { INVALID_PLAN, PLANS } from '../core/plans.ts';
import { rowsOf } from '../core/rows.ts';

/**
 * Address of an account in an admin's form, with the texts of docs/spec-map.md 5; lowercase after
 * parsing.
 */
const adminEmail = z
  .string()
  .trim()
  .toLowerCase()
  .min(1, 'Email cannot be empty')
  .max(EMAIL_MAX_CHARACTERS, 'Email too long (max 254 characters)')
  .regex(/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+\.[^\s@\p{Cc}]+$/u, 'Invalid email format');

/**
 * Reason for a suspension, in the admin's words (docs/spec-map.md 5, docs/interpretations.md#72).
 * Line endings are the only invisible characters allowed, so that no character reverses the
 * direction of the surrounding text in the log.
 */
export const suspensionReason = z
  .string()
  .trim()
  .min(SUSPENSION_REASON_MIN_CHARACTERS, 'Reason must be at least 5 characters')
  .max(SUSPENSION_REASON_MAX_CHARACTERS, 'Reason must be less than 500 characters')
  .regex(/^(?:\n|[^\p{Cc}\u202a-\u202e\u2066-\u2069])*$/u, 'Reason contains invalid characters');

const adminLevel = z.enum(ADMIN_LEVELS, 'Invalid admin level');
const plan = z.enum(PLANS, INVALID_PLAN);

/**
 * A whole number that is clamped to its range instead of rejected (docs/interpretations.md#72);
 * also accepts the text of a query string.
 */
const clamped = (min: number, max: number) =>
  z
    .union([z.number(), z.string().regex(/^[+-]?\d{1,15}$/)])
    .transform(value => Math.min(max, Math.max(min, Math.trunc(Number(value)))));

const adminUser = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  /** active or suspended; clients show any other value as a warning (docs/spec-map.md 4). */
  status: z.string(),
  plan: z.enum(PLANS),
  is_admin: z.boolean(),
  admin_level: z.enum(ADMIN_LEVELS).nullable(),
  /** Bytes. */
  used_space: z.number(),
  sent_emails: z.number(),
  domain_count: z.number(),
  created_at: z.string(),
  last_active_at: z.string().nullable(),
  /**
   * Whether outbound mail is held because someone other than the owner appeared to be sending it.
   */
  mail_held: z.boolean().default(false),
  /** For a suspended account: the reason in the admin's words; null if no longer known. */
  suspension_reason: z.string().nullable().optional(),
});
export type AdminUser = z.infer<typeof adminUser>;

/**
 * Why outbound mail of an account is held: a reason and numbers, without message content or
 * addresses.
 */
const mailHold = z.object({
  reason: z.enum(['strangers', 'refusals', 'content', 'complaints']),
  since: z.string(),
  /** When the hold ends automatically. */
  until: z.string(),
  /** Number of recipients with messages waiting for the end of the hold. */
  waiting: z.number(),
  /** Numbers of recipients on the day before the hold began. */
  before: z.object({
    /** Recipients never written to before. */
    strangers: z.number(),
    tried: z.number(),
    refused: z.number(),
    /** Recipients of messages that look like spam. */
    suspicious: z.number(),
    /** Messages that recipients complained about. */
    complaints: z.number(),
  }),
});
export type MailHold = z.infer<typeof mailHold>;

/** Values of a user list filter that select all users. */
const EVERYBODY = ['all', ''] as const;

const adminStats = z.object({
  total_users: z.number(),
  /** Users who are not suspended and were active within 30 days. */
  active_users: z.number(),
  /** Users inactive for 30 days, or never active: the basis of churn_rate. */
  churned_users: z.number().optional(),
  new_users_this_month: z.number(),
  /** Percentage of all users who were inactive for 30 days, or never active. */
  churn_rate: z.number(),
  /** Bytes. */
  storage_used: z.number(),
  total_emails_sent: z.number(),
  emails_sent_this_month: z.number(),
  total_domains: z.number(),
  /** Domains that are verified and were correctly set up at the last check. */
  active_domains: z.number(),
  users_by_plan: z.record(z.string(), z.number()),
});
export type AdminStats = z.infer<typeof adminStats>;

const auditEntry = z.object({
  id: z.string(),
  at: z.string(),
  /**
   * Who acted. The address is null for the operator and billing, and after the account is deleted.
   * A member belongs to an organization.
   */
  actor: z.object({
    kind: z.enum(['admin', 'operator', 'billing', 'member', 'service']),
    email: z.string().nullable(),
  }),
  action: z.enum(AUDIT_ACTIONS),
  /** The user concerned; null if there is none, and after the account is deleted. */
  subject: z.string().nullable(),
  object: z.string().nullable(),
  /**
   * The organization in which a member acted; null after it was deleted, and for all other actors.
   */
  organization: z.string().nullable(),
  details: z.record(z.string(), z.string()),
});
export type AuditRecord = z.infer<typeof auditEntry>;

/** State of the account after an action. */
const done = dataOf(
  z.object({
    email: z.string(),
    status: z.enum(['active', 'suspended']),
    plan: z.enum(PLANS),
    is_admin: z.boolean(),
    admin_level: z.enum(ADMIN_LEVELS).nullable(),
  }),
);

export const adminCalls = {
  stats: defineCall({
    method: 'GET',
    path: '/admin/readonly/stats',
    access: 'readonly',
    about: 'Statistics of the service.',
    input: z.object({}),
    output: dataOf(adminStats),
  }),
  users: defineCall({
    method: 'GET',
    path: '/admin/readonly/users',
    access: 'readonly',
    about:
      'A page of users, newest accounts first. A search matches names and addresses. Filters apply to all users; `all` or an empty value disables a filter. With a search or a filter, total_count is at most 10,000.',
    input: z.object({
      page: clamped(1, ADMIN_PAGE_MAX).default(1),
      pageSize: clamped(1, ADMIN_PAGE_SIZE_MAX).default(ADMIN_PAGE_SIZE_DEFAULT),
      search: z
        .string()
        .transform(text => text.replaceAll('\0', '').trim().slice(0, ADMIN_SEARCH_MAX_CHARACTERS).trim())
        .default(''),
      status: z.enum([...EVERYBODY, 'active', 'suspended']).default('all'),
      plan: z.enum([...EVERYBODY, ...PLANS]).default('all'),
      admin: z.enum([...EVERYBODY, 'admin', 'user']).default('all'),
      /** Used storage by the console's scale: above 75 %, 25 to 75 %, below 25 % of 5 GB. */
      storage: z.enum([...EVERYBODY, 'high', 'medium', 'low']).default('all'),
    }),
    output: dataOf(z.object({ users: rowsOf(adminUser), total_count: z.number() })),
  }),
  mail_hold: defineCall({
    method: 'GET',
    path: '/admin/readonly/mail_hold',
    access: 'readonly',
    about:
      'Since when and why mail of an account to other providers is on hold, in numbers; null if it is not.',
    input: z.object({ user_id: z.uuid() }),
    output: dataOf(z.object({ hold: mailHold.nullable() })),
  }),
  audit: defineCall({
    method: 'GET',
    path: '/admin/readonly/audit',
    access: 'readonly',
    about: 'The audit log, newest first. `before` continues after the entry with that ID.',
    input: z.object({
      before: wholeNumber(1, 1e15).optional(),
      count: wholeNumber(1, AUDIT_PAGE_MAX).default(AUDIT_PAGE_MAX),
    }),
    output: dataOf(z.object({ entries: rowsOf(auditEntry), has_more: z.boolean() })),
  }),
  grant_admin: defineCall({
    method: 'POST',
    path: '/admin/super/grant_admin',
    access: 'super',
    about: 'Grants an account an admin level, or changes it.',
    input: z.object({ user_email: adminEmail, admin_level: adminLevel.default('readonly') }),
    output: done,
    isRepeatable: true,
  }),
  revoke_admin: defineCall({
    method: 'POST',
    path: '/admin/super/revoke_admin',
    access: 'super',
    about: 'Revokes the admin level of an account. Refused for the last super admin.',
    input: z.object({ user_email: adminEmail }),
    output: done,
  }),
  suspend_user: defineCall({
    method: 'POST',
    path: '/admin/suspend_user',
    access: 'standard',
    about: 'Suspends an account that is not an admin. Its sessions end and its mail is held.',
    input: z.object({ user_email: adminEmail, reason: suspensionReason }),
    output: done,
    isRepeatable: true,
  }),
  unsuspend_user: defineCall({
    method: 'POST',
    path: '/admin/unsuspend_user',
    access: 'standard',
    about: 'Ends a suspension.',
    input: z.object({ user_email: adminEmail }),
    output: done,
    isRepeatable: true,
  }),
  release_mail: defineCall({
    method: 'POST',
    path: '/admin/release_mail',
    access: 'standard',
    about:
      'Releases held mail of an account to other providers. Callers cannot release their own mail. Releasing mail of another admin requires level super.',
    input: z.object({ user_email: adminEmail }),
    output: dataOf(z.object({ released: z.boolean() })),
  }),
  set_plan: defineCall({
    method: 'POST',
    path: '/admin/set-plan',
    access: 'standard',
    about:
      'Sets the plan of an account; without user_email, the plan of the caller. Changing the plan of another admin requires level super.',
    input: z.object({ plan, user_email: adminEmail.optional() }),
    output: done,
    isRepeatable: true,
  }),
} as const;
