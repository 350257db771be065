/**
 * The calls of the console (docs/spec-map.md 6, 7; docs/api-conventions.md#admin): whether one is an admin, the token of admin
 * calls, statistics, users, what is done to their accounts, and the audit log. No answer holds content of anybody's mail.
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
  INVALID_PLAN,
  PLANS,
  SUSPENSION_REASON_MAX_CHARACTERS,
  SUSPENSION_REASON_MIN_CHARACTERS,
} from '../core/limits.ts';
import { AUDIT_ACTIONS } from '../core/log-actions.ts';
import { rowsOf } from '../core/rows.ts';

/** The address of an account in an admin's form, with the texts of docs/spec-map.md 5; lowercase after parsing. */
const adminEmail = z
  .string()
  .trim()
  .toLowerCase()
  .min(1, 'Email cannot be empty')
  .max(EMAIL_MAX_CHARACTERS, 'Email too long (max 254 characters)')
  .regex(/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+\.[^\s@\p{Cc}]+$/u, 'Invalid email format');

/**
 * Why an account is suspended, in the admin's words (docs/spec-map.md 5, docs/interpretations.md#72). Of signs that are not seen
 * only line ends: nothing that turns the direction of the text around it in the log.
 */
export const suspensionReason = z
  .string()
  .trim()
  .min(SUSPENSION_REASON_MIN_CHARACTERS, 'Reason must be at least 5 characters')
  .max(SUSPENSION_REASON_MAX_CHARACTERS, 'Reason must be less than 500 characters')
  .regex(/^(?:\n|[^\p{Cc}\u202a-\u202e\u2066-\u2069])*$/u, 'Reason holds characters that cannot be kept');

const adminLevel = z.enum(ADMIN_LEVELS, 'Invalid admin level');
const plan = z.enum(PLANS, INVALID_PLAN);

/** A whole number that is brought into its range, not refused (docs/interpretations.md#72); also the text of a query string. */
const clamped = (min: number, max: number) =>
  z
    .union([z.number(), z.string().regex(/^[+-]?\d{1,15}$/)])
    .transform(value => Math.min(max, Math.max(min, Math.trunc(Number(value)))));

const adminUser = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  /** active or suspended; clients show what else may come as a warning (docs/spec-map.md 4). */
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
  /** Whether mail to the outside waits because it looked like that of somebody else. */
  mail_held: z.boolean().default(false),
  /** Of a suspended account: why, in the admin's words; null where it is not known any more. */
  suspension_reason: z.string().nullable().optional(),
});
export type AdminUser = z.infer<typeof adminUser>;

/** Why the mail of an account to the outside is held: a sign and numbers, nothing of a letter and nobody's address. */
const mailHold = z.object({
  reason: z.enum(['strangers', 'refusals', 'content', 'complaints']),
  since: z.string(),
  /** When it ends by itself. */
  until: z.string(),
  /** Recipients whose letters wait for it. */
  waiting: z.number(),
  /** Of the day before it began, in recipients. */
  before: z.object({
    /** Never written to before. */
    strangers: z.number(),
    tried: z.number(),
    refused: z.number(),
    /** Of letters that look like spam. */
    suspicious: z.number(),
    /** Mails that readers complained of. */
    complaints: z.number(),
  }),
});
export type MailHold = z.infer<typeof mailHold>;

/** Values of a filter of the list of users that select everybody. */
const EVERYBODY = ['all', ''] as const;

const adminStats = z.object({
  total_users: z.number(),
  /** Not suspended, and seen within 30 days. */
  active_users: z.number(),
  /** Not seen for 30 days, or never: what churn_rate is made of. */
  churned_users: z.number().optional(),
  new_users_this_month: z.number(),
  /** Percent of all users who were not seen for 30 days, or never. */
  churn_rate: z.number(),
  /** Bytes. */
  storage_used: z.number(),
  total_emails_sent: z.number(),
  emails_sent_this_month: z.number(),
  total_domains: z.number(),
  /** Proved, and in order at the last look. */
  active_domains: z.number(),
  users_by_plan: z.record(z.string(), z.number()),
});
export type AdminStats = z.infer<typeof adminStats>;

const auditEntry = z.object({
  id: z.string(),
  at: z.string(),
  /** By whom; the address is null for the operator and billing, and once the account is gone. A member: of an organisation. */
  actor: z.object({
    kind: z.enum(['admin', 'operator', 'billing', 'member', 'service']),
    email: z.string().nullable(),
  }),
  action: z.enum(AUDIT_ACTIONS),
  /** About whom; null where nobody is concerned, and once the account is gone. */
  subject: z.string().nullable(),
  object: z.string().nullable(),
  /** The organisation in which a member did it; null once it has ended, and for all others. */
  organization: z.string().nullable(),
  details: z.record(z.string(), z.string()),
});
export type AuditRecord = z.infer<typeof auditEntry>;

/** What an action leaves of the account. */
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
      'A page of users, the youngest accounts first. A search matches name or address; filters select among all users, and `all` or an empty value selects everybody. With either of them total_count stops at 10,000 matches.',
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
      /** Used storage by the console's measure: above 75 %, 25 to 75 %, below 25 % of 5 GB. */
      storage: z.enum([...EVERYBODY, 'high', 'medium', 'low']).default('all'),
    }),
    output: dataOf(z.object({ users: rowsOf(adminUser), total_count: z.number() })),
  }),
  mail_hold: defineCall({
    method: 'GET',
    path: '/admin/readonly/mail_hold',
    access: 'readonly',
    about: "Since when and why an account's mail to the outside is held, in numbers; null when it is not.",
    input: z.object({ user_id: z.uuid() }),
    output: dataOf(z.object({ hold: mailHold.nullable() })),
  }),
  audit: defineCall({
    method: 'GET',
    path: '/admin/readonly/audit',
    access: 'readonly',
    about: 'The audit log, newest first; `before` continues after the entry of that id.',
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
    about: 'Gives an account an admin level, or another one.',
    input: z.object({ user_email: adminEmail, admin_level: adminLevel.default('readonly') }),
    output: done,
    isRepeatable: true,
  }),
  revoke_admin: defineCall({
    method: 'POST',
    path: '/admin/super/revoke_admin',
    access: 'super',
    about: 'Takes the admin level of an account. The last super admin stays.',
    input: z.object({ user_email: adminEmail }),
    output: done,
  }),
  suspend_user: defineCall({
    method: 'POST',
    path: '/admin/suspend_user',
    access: 'standard',
    about: 'Suspends an account that is no admin: its sessions end, its mail waits.',
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
      'Lets held mail of an account to the outside go on; nobody releases their own. That of another admin needs super.',
    input: z.object({ user_email: adminEmail }),
    output: dataOf(z.object({ released: z.boolean() })),
  }),
  set_plan: defineCall({
    method: 'POST',
    path: '/admin/set-plan',
    access: 'standard',
    about:
      "Sets the plan of an account, the caller's own without user_email; that of another admin needs super.",
    input: z.object({ plan, user_email: adminEmail.optional() }),
    output: done,
    isRepeatable: true,
  }),
} as const;
