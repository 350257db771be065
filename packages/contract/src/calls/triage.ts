/**
 * Sorting mail by means other than flags and tags: manual spam marking, snoozing, rules
 * (docs/spec-map.md 3, 7; docs/interpretations.md#52). Stars, read state and archive are flags and
 * are in mail.ts.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf, nothing } from '../core/envelope.ts';
import { flag, idList, plainText } from '../core/fields.ts';
import { RULE_CONDITIONS_MAX, RULES_MAX } from '../core/limits.ts';
import { rowsOf } from '../core/rows.ts';
import { tag } from '../core/user.ts';

const updated = dataOf(z.object({ updated: z.number() }));

/**
 * `any` is From, To, Cc or subject. `subject` matches only messages whose text is readable where
 * the rule runs.
 */
export const RULE_FIELDS = ['from', 'to', 'subject', 'any'] as const;
export const RULE_TESTS = ['contains', 'is', 'begins', 'ends', 'lacks'] as const;

/**
 * Rule for incoming mail. The server runs it on plaintext mail while that is in memory, the client
 * on sealed mail.
 */
export const rule = z.object({
  name: plainText(100),
  enabled: z.boolean().default(true),
  /** Whether all conditions must hold, or only one. */
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
  /** Skips later rules when this one matches. */
  stop: z.boolean().default(false),
});
export type Rule = z.infer<typeof rule>;

export const triageCalls = {
  clear_flagged: defineCall({
    method: 'POST',
    path: '/user/clear_flagged',
    access: 'user',
    about: 'Moves all flagged messages to Deleted, where they stay for 30 days.',
    input: z.object({}),
    output: updated,
    timeoutMs: 60_000,
  }),
  flag: defineCall({
    method: 'POST',
    path: '/user/flag',
    access: 'user',
    about: 'Marks messages as spam (flagged) or not spam. All or nothing.',
    input: z.object({ email_id: idList, value: flag }),
    output: updated,
    isRepeatable: true,
  }),
  snooze: defineCall({
    method: 'POST',
    path: '/user/snooze',
    access: 'user',
    about: 'Snoozes messages until a time, when they return to the top, unread. null ends the snooze now.',
    input: z.object({ email_id: idList, until: z.iso.datetime().nullable() }),
    output: updated,
    isRepeatable: true,
  }),
  rules: defineCall({
    method: 'GET',
    path: '/user/rules',
    access: 'user',
    about: 'The rules for incoming mail, in the order in which they apply.',
    input: z.object({}),
    output: dataOf(rowsOf(rule)),
  }),
  save_rules: defineCall({
    method: 'PUT',
    path: '/user/rules',
    access: 'user',
    about: 'Replaces the rules for incoming mail.',
    input: z.object({ rules: z.array(rule).max(RULES_MAX) }),
    output: nothing,
    isRepeatable: true,
  }),
} as const;
