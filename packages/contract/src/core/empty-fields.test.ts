import { expect, test } from 'vitest';
import { z } from 'zod';
import { api } from '../index.ts';
import type { Call } from './call.ts';
import { withoutEmptyFields } from './empty-fields.ts';

const calls = Object.entries(api).flatMap(([group, byName]) =>
  Object.entries(byName as Record<string, Call>).map(([name, call]) => [`${group}.${name}`, call] as const),
);

/** The fields of a call that is complained of. */
const refused = (input: z.ZodType, fields: unknown) =>
  new Set(input.safeParse(fields).error?.issues.map(issue => issue.path[0]));

/** Calls to which an absent field means more than one. */
const exact = ['operations.deliver_now', 'operations.drop_mail'];

test('an empty string for an optional field is no reason to refuse any call', () => {
  const mended: string[] = [];
  for (const [name, call] of calls) {
    if (exact.includes(name)) continue;
    const { shape } = call.input as unknown as { shape: Record<string, z.ZodType> };
    for (const [field, schema] of Object.entries(shape)) {
      const left = withoutEmptyFields(call.input, { [field]: '' });
      const isOptional = schema.safeParse(undefined).success;
      if (isOptional) expect(refused(call.input, left).has(field), `${name} ${field}`).toBe(false);
      // A required field, and one that an empty string is a value of, stays as it was sent.
      if (!isOptional || schema.safeParse('').success)
        expect(left, `${name} ${field}`).toEqual({ [field]: '' });
      else mended.push(`${name} ${field}`);
    }
  }
  expect(mended.length).toBeGreaterThan(50);
});

test('what clears a value with an empty string still arrives, and nothing else is touched', () => {
  const input = z.object({ id: z.uuid(), label: z.string().max(9).optional(), draft: z.uuid().optional() });
  const id = '6f1c1b0e-4f0e-4a5e-8a3e-0d8f0d7d4a11';
  expect(withoutEmptyFields(input, { id, label: '', draft: '' })).toEqual({ id, label: '' });
  expect(withoutEmptyFields(input, { id: '', draft: '' })).toEqual({ id: '' });
  expect(withoutEmptyFields(input, { id, draft: 'x' })).toEqual({ id, draft: 'x' });
  expect(withoutEmptyFields(input, 'x')).toBe('x');
});

test('an empty id never widens what is dropped or delivered to a whole domain', () => {
  for (const name of exact) {
    const input = calls.find(([known]) => known === name)?.[1].input;
    if (input === undefined) throw new Error(`there is no ${name}`);
    const fields = { id: '', domain: 'outside.test' };
    expect(withoutEmptyFields(input, fields)).toEqual(fields);
    expect(refused(input, fields).has('id')).toBe(true);
    expect(input.safeParse({ domain: 'outside.test' }).success).toBe(true);
  }
});
