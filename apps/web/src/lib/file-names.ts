// What a file of a mail is called when the mail does not say. Names that are given keep their letters; marks that turn the
// direction of writing, or a gap before the ending, would show another ending than the file has.

type Named = {
  readonly filename: string | null;
  readonly mimeType: string;
};

// Types are a stranger's words, `constructor` among them.
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
/** Blanks, and letters that look like them. */
const GAP = /[\s\p{Cc}\u115f\u1160\u2800\u3164\uffa0\u200b\u2060]+/gu;

/** One blank stays what it is; more of them, and what only looks like one, are a plain one. */
const shortGap = (gap: string): string => (/^\s$/.test(gap) ? gap : ' ');

/** The file's own name, or one after its type. */
export function fileNameOf({ filename, mimeType }: Named): string {
  const given = (filename ?? '').replace(TURNS, '').replace(GAP, shortGap).trim();
  if (given !== '') return given;
  const type = mimeType.toLowerCase();
  return reportNames.get(type) ?? `Untitled${endings.get(type) ?? ''}`;
}
