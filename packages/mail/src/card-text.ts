// Texts of contacts, from whatever file: without control characters, and no longer than an address book keeps.
import { VCARD_TEXT_MAX_CHARACTERS } from './limits.ts';

/** A name: one line, cut at its greatest length. */
export const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, VCARD_TEXT_MAX_CHARACTERS.name);

/** A note: its lines, cut at their greatest length. */
export const severalLines = (text: string): string =>
  text
    .replaceAll('\r', '')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .trim()
    .slice(0, VCARD_TEXT_MAX_CHARACTERS.note);
