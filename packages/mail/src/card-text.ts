// Texts of contacts, from whatever file: without control characters, and no longer than an address book keeps.
import { VCARD_TEXT_MAX_CHARACTERS } from './limits.ts';

/** What a name must not hold. Joiners may: scripts, and pictures of several signs, need them between two others. */
const NO_NAME = /(?:(?![\u200c\u200d])[\p{Cc}\p{Cf}\s])+/gu;
const JOINERS = /([\u200c\u200d])[\u200c\u200d]+/g;
const LOOSE_JOINER = /(?<=^| )[\u200c\u200d]|[\u200c\u200d](?= |$)/g;

/** A name: one line, cut at its greatest length. */
export const oneLine = (text: string): string =>
  text
    .replace(NO_NAME, ' ')
    .replace(JOINERS, '$1')
    .replace(LOOSE_JOINER, '')
    .replace(/ {2,}/g, ' ')
    .trim()
    .slice(0, VCARD_TEXT_MAX_CHARACTERS.name);

/** A note: its lines, cut at their greatest length. */
export const severalLines = (text: string): string =>
  text
    .replaceAll('\r', '')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .trim()
    .slice(0, VCARD_TEXT_MAX_CHARACTERS.note);
