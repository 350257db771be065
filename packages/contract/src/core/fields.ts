/**
 * Field schemas shared by several calls: base64 of a known size, ids, flags in a query string.
 * Defines no calls.
 */
import { z } from 'zod';
import { DOMAIN_MAX_CHARACTERS, EMAIL_IDS_MAX, EMAIL_MAX_CHARACTERS } from './limits.ts';

// A single character class without groups: a pattern that repeats a group of four keeps a
// backtracking point for each repetition, which overflows on a body of ten megabytes. Searching for
// the padding from every position of a long text would overflow too.
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

const isBase64 = (text: string): boolean => text.length % 4 === 0 && BASE64.test(text);

const paddingOf = (text: string): number => (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);

/** Padded base64 (standard alphabet) of any length up to a limit in characters. */
export const base64 = (maxCharacters: number) =>
  z.string().max(maxCharacters).refine(isBase64, 'Must be padded base64');

/** Padded base64 of exactly this many bytes. */
export const base64Bytes = (bytes: number) =>
  z
    .string()
    .length(Math.ceil(bytes / 3) * 4)
    .refine(isBase64, 'Must be padded base64')
    .refine(text => text.length - paddingOf(text) === Math.ceil((bytes * 4) / 3), {
      message: `Must be ${bytes} bytes`,
    });

/** Opaque id issued by the server. */
export const id = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[A-Za-z0-9_-]+$/);

/** Address as typed; the server normalizes it. */
export const emailAddress = z
  .string()
  .trim()
  .min(3)
  .max(EMAIL_MAX_CHARACTERS)
  .regex(/^[^\s@<>()[\]\\,;:"\p{Cc}]+@[^\s@<>()[\]\\,;:"\p{Cc}]+$/u, 'Invalid email format');

/**
 * Single-line text without control characters: PostgreSQL rejects one of them, and another ends a
 * header.
 */
export const plainText = (maxCharacters: number) =>
  z
    .string()
    .trim()
    .max(maxCharacters)
    .regex(/^\P{Cc}*$/u, 'Contains control characters');

/** Domain name as typed; the server decides whether it is valid. */
export const domainName = plainText(DOMAIN_MAX_CHARACTERS).min(1);

/** Boolean, or the text `true` or `false` from a query string. */
export const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform(text => text === 'true')]);

/** Whole number in a range, or its decimal text from a query string. */
export const wholeNumber = (min: number, max: number) =>
  z.union([
    z.number().int().min(min).max(max),
    z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number)
      .pipe(z.number().int().min(min).max(max)),
  ]);

/** One id or a list of ids, always a list after parsing (docs/interpretations.md#58). */
export const idList = z.union([id.transform(one => [one]), z.array(id).min(1).max(EMAIL_IDS_MAX)]);

/** Text carried as base64 of its UTF-8 bytes (docs/interpretations.md#55). */
export const base64Text = base64(4096);

/** One or more values from a query string, always a list after parsing. */
export const repeated = <T extends z.ZodType>(item: T) =>
  z.union([z.array(item).max(50), item.transform(one => [one])]);
