// Cleans texts of contacts from any file: removes control characters and cuts them to the maximum
// length of the address book.
import { VCARD_TEXT_MAX_CHARACTERS } from './limits.ts';

/**
 * Characters that a name must not contain. Joiners are allowed: some scripts and emoji sequences
 * need them between two other characters.
 */
const NO_NAME = /(?:(?![\u200c\u200d])[\p{Cc}\p{Cf}\s])+/gu;
const JOINERS = /([\u200c\u200d])[\u200c\u200d]+/g;
const LOOSE_JOINER = /(?<=^| )[\u200c\u200d]|[\u200c\u200d](?= |$)/g;

/** Cleans a name: one line, cut to the maximum length. */
export const oneLine = (text: string): string =>
  text
    .replace(NO_NAME, ' ')
    .replace(JOINERS, '$1')
    .replace(LOOSE_JOINER, '')
    .replace(/ {2,}/g, ' ')
    .trim()
    .slice(0, VCARD_TEXT_MAX_CHARACTERS.name);

/** Cleans a note: keeps its lines, cut to the maximum length. */
export const severalLines = (text: string): string =>
  text
    .replaceAll('\r', '')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .trim()
    .slice(0, VCARD_TEXT_MAX_CHARACTERS.note);
