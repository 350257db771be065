// Text of Outlook's items, whose character sets are numbers of Windows.

import { decodeText } from '@keyfold/mail/mime/charsets';

/** Text of bytes under a code page; what they look like where there is none. Never fails. */
export const decodeCodePage = (
  bytes: Uint8Array,
  codePage: number | null,
  ...labels: (string | null)[]
): string => decodeText(bytes, codePage === null ? null : `cp${codePage}`, ...labels);
