/**
 * Field schemas that several calls share: base64 of a known size, ids, flags in a query string. No call stands here.
 */
import { z } from 'zod';
import { DOMAIN_MAX_CHARACTERS, EMAIL_IDS_MAX, EMAIL_MAX_CHARACTERS } from './limits.ts';

// One class of characters and no groups: a pattern that repeats a group of four keeps a place to go back to for each, and
// a body of ten megabytes overflows that; so would a search for the padding from every place of a long text.
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

const isBase64 = (text: string): boolean => text.length % 4 === 0 && BASE64.test(text);

const paddingOf = (text: string): number => (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);

/** Padded base64 (standard alphabet) of any length up to a limit in characters. */
export const base64 = (maxCharacters: number) =>
  z.string().max(maxCharacters).refine(isBase64, 'Not padded base64');

/** Padded base64 of exactly this many bytes. */
export const base64Bytes = (bytes: number) =>
  z
    .string()
    .length(Math.ceil(bytes / 3) * 4)
    .refine(isBase64, 'Not padded base64')
    .refine(text => text.length - paddingOf(text) === Math.ceil((bytes * 4) / 3), {
      message: `Not ${bytes} bytes`,
    });

/** An opaque id given out by the server. */
export const id = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[A-Za-z0-9_-]+$/);

/** An address as typed; normalised by the server. */
export const emailAddress = z
  .string()
  .trim()
  .min(3)
  .max(EMAIL_MAX_CHARACTERS)
  .regex(/^[^\s@<>()[\]\\,;:"\p{Cc}]+@[^\s@<>()[\]\\,;:"\p{Cc}]+$/u, 'Invalid email format');

/** Text on one line: no control characters, of which PostgreSQL refuses one and headers take another for their end. */
export const plainText = (maxCharacters: number) =>
  z
    .string()
    .trim()
    .max(maxCharacters)
    .regex(/^\P{Cc}*$/u, 'Holds control characters');

/** The name of a domain as typed; whether it can be one is for the server to say. */
export const domainName = plainText(DOMAIN_MAX_CHARACTERS).min(1);

/** A boolean, also as the text `true` or `false` of a query string. */
export const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform(text => text === 'true')]);

/** A whole number in a range, also as its decimal text of a query string. */
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

/** One value or a repeated one of a query string, always a list after parsing. */
export const repeated = <T extends z.ZodType>(item: T) =>
  z.union([z.array(item).max(50), item.transform(one => [one])]);
