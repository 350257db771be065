import { expect, test } from 'vitest';
import { z } from 'zod';
import { api } from '../index.ts';
import type { Call } from './call.ts';
import { withoutEmptyFields } from './empty-fields.ts';

const calls = Object.entries(api).flatMap(([group, byName]) =>
  Object.entries(byName as Record<string, Call>).map(([name, call]) => [`${group}.${name}`, call] as const),
);

/** Returns the fields of a call that validation rejects. */
const refused = (input: z.ZodType, fields: unknown) =>
  new Set(input.safeParse(fields).error?.issues.map(issue => issue.path[0]));

/** Calls in which omitting a field widens their effect. */
const exact = ['operations.deliver_now', 'operations.drop_mail'];

test('an empty string in an optional field never makes a call fail', () => {
  const mended: string[] = [];
  for (const [name, call] of calls) {
    if (exact.includes(name)) continue;
    const { shape } = call.input as unknown as { shape: Record<string, z.ZodType> };
    for (const [field, schema] of Object.entries(shape)) {
      const left = withoutEmptyFields(call.input, { [field]: '' });
      const isOptional = schema.safeParse(undefined).success;
      if (isOptional) expect(refused(call.input, left).has(field), `${name} ${field}`).toBe(false);
      // A required field, or a field that accepts an empty string, stays as sent.
      if (!isOptional || schema.safeParse('').success)
        expect(left, `${name} ${field}`).toEqual({ [field]: '' });
      else mended.push(`${name} ${field}`);
    }
  }
  expect(mended.length).toBeGreaterThan(50);
});

test('an empty string that clears a value is kept, and nothing else changes', () => {
  const input = z.object({ id: z.uuid(), label: z.string().max(9).optional(), draft: z.uuid().optional() });
  const id = '6f1c1b0e-4f0e-4a5e-8a3e-0d8f0d7d4a11';
  expect(withoutEmptyFields(input, { id, label: '', draft: '' })).toEqual({ id, label: '' });
  expect(withoutEmptyFields(input, { id: '', draft: '' })).toEqual({ id: '' });
  expect(withoutEmptyFields(input, { id, draft: 'x' })).toEqual({ id, draft: 'x' });
  expect(withoutEmptyFields(input, 'x')).toBe('x');
});

test('an empty id never widens a drop or delivery to a whole domain', () => {
  for (const name of exact) {
    const input = calls.find(([known]) => known === name)?.[1].input;
    if (input === undefined) throw new Error(`there is no ${name}`);
    const fields = { id: '', domain: 'outside.test' };
    expect(withoutEmptyFields(input, fields)).toEqual(fields);
    expect(refused(input, fields).has('id')).toBe(true);
    expect(input.safeParse({ domain: 'outside.test' }).success).toBe(true);
  }
});
