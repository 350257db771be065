/**
 * The user's rules for incoming mail (docs/spec-map.md 10.34). The server applies them to plaintext
 * mail, the client to sealed mail.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf, nothing } from '../core/envelope.ts';
import { plainText } from '../core/fields.ts';
import { RULE_CONDITIONS_MAX, RULES_MAX } from '../core/limits.ts';
import { rowsOf } from '../core/rows.ts';
import { tag } from '../core/user.ts';

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

export const rulesCalls = {
  list: defineCall({
    method: 'GET',
    path: '/user/rules',
    access: 'user',
    about: 'The rules for incoming mail, in the order in which they apply.',
    input: z.object({}),
    output: dataOf(rowsOf(rule)),
  }),
  save: defineCall({
    method: 'PUT',
    path: '/user/rules',
    access: 'user',
    about: 'Replaces the rules for incoming mail.',
    input: z.object({ rules: z.array(rule).max(RULES_MAX) }),
    output: nothing,
    isRepeatable: true,
  }),
} as const;
