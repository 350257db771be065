/**
 * Handles empty strings that other clients send for fields without a value: they count as absent
 * where the field is optional and does not accept an empty string. Where an empty string is a valid
 * value ("no label"), it stays.
 */
import { z } from 'zod';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Schemas in which omitting a field would widen the effect of the call: an empty string stays and
 * is rejected.
 */
const exact = z.registry<{ readonly isExact: true }>();

/**
 * Marks an input whose empty strings are rejected, because omitting a field widens the effect of
 * the call.
 */
export function withExactFields<T extends z.ZodType>(input: T): T {
  exact.add(input, { isExact: true });
  return input;
}

/** Returns the fields without such empty strings. */
export function withoutEmptyFields(input: z.ZodType, fields: unknown): unknown {
  if (!isFields(fields) || exact.has(input)) return fields;
  const empty = Object.keys(fields).filter(name => fields[name] === '');
  if (empty.length === 0) return fields;
  const refused = (given: Fields): Set<PropertyKey | undefined> =>
    new Set(input.safeParse(given).error?.issues.map(issue => issue.path[0]));
  const asSent = refused(fields);
  const left = Object.fromEntries(
    Object.entries(fields).filter(([name]) => !(empty.includes(name) && asSent.has(name))),
  );
  const asLeft = refused(left);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name in left || asLeft.has(name)));
}
