// Names for the files of a message that have none. Given names keep their characters, except for
// bidirectional controls and gaps before the extension, which would make the extension look
// different.

type Named = {
  readonly filename: string | null;
  readonly mimeType: string;
};

// A map, because types come from the sender and may be `constructor`.
const reportNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'message/delivery-status': 'Delivery report.txt',
    'message/global-delivery-status': 'Delivery report.txt',
    'message/global-headers': 'Headers of the message.txt',
    'message/rfc822': 'Message.eml',
    'text/rfc822-headers': 'Headers of the message.txt',
  }),
);

const endings: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'image/png': '.png',
    'image/jpeg': '.jpg',
    'image/gif': '.gif',
    'image/webp': '.webp',
    'application/pdf': '.pdf',
    'text/plain': '.txt',
    'text/html': '.html',
    'text/calendar': '.ics',
  }),
);

const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
/** Whitespace, and characters that look like it. */
const GAP = /[\s\p{Cc}\u115f\u1160\u2800\u3164\uffa0\u200b\u2060]+/gu;

/**
 * Keeps a single whitespace character. Longer gaps, and characters that only look like whitespace,
 * become one space.
 */
const shortGap = (gap: string): string => (/^\s$/.test(gap) ? gap : ' ');

/** Returns the file's own name, or a name derived from its type. */
export function fileNameOf({ filename, mimeType }: Named): string {
  const given = (filename ?? '').replace(TURNS, '').replace(GAP, shortGap).trim();
  if (given !== '') return given;
  const type = mimeType.toLowerCase();
  return reportNames.get(type) ?? `Untitled${endings.get(type) ?? ''}`;
}
