/**
 * What puts mail in its place beside flags and tags: spam, snoozing, rules, blocked senders (Spec §3, §7; readings 52).
 */
import { z } from 'zod';
import { defineCall } from './call.ts';
import { dataOf, nothing } from './envelope.ts';
import { flag, idList, plainText } from './fields.ts';
import { CUSTOM_RULES_MAX, RULE_CONDITIONS_MAX, RULES_MAX, SENDERS_MAX } from './limits.ts';
import { tag } from './user.ts';

const updated = dataOf(z.object({ updated: z.number() }));

/** `any` is From, To, Cc or subject; only mail whose text the reader of the rule can see matches `subject`. */
export const RULE_FIELDS = ['from', 'to', 'subject', 'any'] as const;
export const RULE_TESTS = ['contains', 'is', 'begins', 'ends', 'lacks'] as const;

/** A rule for arriving mail. The server runs it on plain mail while that is in memory, the client on sealed mail. */
export const rule = z.object({
  name: plainText(100),
  enabled: z.boolean().default(true),
  /** Whether all conditions must hold, or one of them. */
  match: z.enum(['all', 'any']).default('all'),
  conditions: z
    .array(z.object({ field: z.enum(RULE_FIELDS), test: z.enum(RULE_TESTS), value: plainText(200).min(1) }))
    .min(1)
    .max(RULE_CONDITIONS_MAX),
  actions: z.object({
    tags: z.array(tag.shape.name).max(20).default([]),
    read: z.boolean().default(false),
    star: z.boolean().default(false),
    archive: z.boolean().default(false),
    flag: z.boolean().default(false),
    delete: z.boolean().default(false),
  }),
  /** Later rules are not asked when this one matched. */
  stop: z.boolean().default(false),
});
export type Rule = z.infer<typeof rule>;

/** An address, or `@domain` for everybody there. */
const sender = plainText(254).min(3);

/**
 * A rule of the spam filter: the first that holds decides. A bare text is the short form of "the subject contains it:
 * flag". Texts are compared, never patterns.
 */
export const customRule = z.union([
  plainText(200),
  z.object({
    field: z.enum(RULE_FIELDS),
    test: z.enum(RULE_TESTS),
    value: plainText(200).min(1),
    /** `allow` lets a mail through that would be flagged for its score. */
    action: z.enum(['flag', 'allow']).default('flag'),
  }),
]);
export type CustomRule = z.infer<typeof customRule>;

/** Security settings (Spec §3). */
export const securitySettings = z.object({
  spam_filters: z.object({
    enabled: z.boolean(),
    sensitivity: z.enum(['low', 'medium', 'high']).default('medium'),
    custom_rules: z.array(customRule).max(CUSTOM_RULES_MAX),
  }),
  whitelist: z.array(sender).max(SENDERS_MAX),
  blacklist: z.array(sender).max(SENDERS_MAX),
  updated_at: z.string().nullable(),
});
export type SecuritySettings = z.infer<typeof securitySettings>;

export const organising = {
  clear_flagged: defineCall({
    method: 'POST',
    path: '/user/clear_flagged',
    access: 'user',
    about: 'Moves every flagged mail to Deleted, where it is kept for 30 days (readings 52).',
    input: z.object({}),
    output: updated,
    timeoutMs: 60_000,
  }),
  flag: defineCall({
    method: 'POST',
    path: '/user/flag',
    access: 'user',
    about: 'Marks mails as spam (flagged), or takes them out of it; all or nothing.',
    input: z.object({ email_id: idList, value: flag }),
    output: updated,
  }),
  snooze: defineCall({
    method: 'POST',
    path: '/user/snooze',
    access: 'user',
    about:
      'Takes mails out of sight until a time, at which they come back on top and unread; null ends it now.',
    input: z.object({ email_id: idList, until: z.iso.datetime().nullable() }),
    output: updated,
  }),
  rules: defineCall({
    method: 'GET',
    path: '/user/rules',
    access: 'user',
    about: 'The rules for arriving mail, in the order in which they are asked.',
    input: z.object({}),
    output: dataOf(z.array(rule)),
  }),
  save_rules: defineCall({
    method: 'PUT',
    path: '/user/rules',
    access: 'user',
    about: 'Replaces the rules for arriving mail.',
    input: z.object({ rules: z.array(rule).max(RULES_MAX) }),
    output: nothing,
  }),
  security_settings: defineCall({
    method: 'GET',
    path: '/user/security/settings',
    access: 'user',
    about: 'Spam settings and the lists of senders; 404 when none were ever saved.',
    input: z.object({}),
    output: dataOf(securitySettings),
  }),
  save_security_settings: defineCall({
    method: 'PUT',
    path: '/user/security/settings',
    access: 'user',
    about: 'Replaces spam settings and the lists of senders.',
    input: securitySettings.omit({ updated_at: true }),
    output: dataOf(securitySettings),
  }),
  block: defineCall({
    method: 'POST',
    path: '/user/block',
    access: 'user',
    about: 'Puts a sender on the blacklist, or takes it off; mail from there arrives flagged.',
    input: z.object({ sender, value: flag }),
    output: dataOf(securitySettings),
  }),
} as const;
