// Decodes texts of Outlook items, whose character sets are Windows code page numbers.

import { decodeText } from '@keyfold/mail/mime/charsets';

/** Decodes bytes under a code page; guesses the charset when there is none. Never fails. */
export const decodeCodePage = (
  bytes: Uint8Array,
  codePage: number | null,
  ...labels: (string | null)[]
): string => decodeText(bytes, codePage === null ? null : `cp${codePage}`, ...labels);
