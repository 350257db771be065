/**
 * Empty strings that other clients send for a field they have nothing for: taken for absent where the field may be absent
 * and an empty string is no value of it. Where it is one ("no label"), it stays.
 */
import { z } from 'zod';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Schemas in which leaving a field out would widen what the call does: an empty string stays and is refused there. */
const exact = z.registry<{ readonly isExact: true }>();

/** Marks an input whose empty strings are refused, because an absent field means more there than one. */
export function withExactFields<T extends z.ZodType>(input: T): T {
  exact.add(input, { isExact: true });
  return input;
}

/** The same fields without those. */
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
