// What a file of a mail is called when the mail does not say. Names that are given keep their letters; marks that turn the
// direction of writing would show another ending than the file has.

interface Named {
  readonly filename: string | null;
  readonly mimeType: string;
}

const reportNames: Readonly<Record<string, string>> = {
  'message/delivery-status': 'Delivery report.txt',
  'message/global-delivery-status': 'Delivery report.txt',
  'message/global-headers': 'Headers of the message.txt',
  'message/rfc822': 'Message.eml',
  'text/rfc822-headers': 'Headers of the message.txt',
};

const endings: Readonly<Record<string, string>> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/gif': '.gif',
  'image/webp': '.webp',
  'application/pdf': '.pdf',
  'text/plain': '.txt',
  'text/html': '.html',
  'text/calendar': '.ics',
};

const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** The file's own name, or one after its type. */
export function fileNameOf({ filename, mimeType }: Named): string {
  const given = (filename ?? '').replace(TURNS, '');
  if (given !== '') return given;
  const type = mimeType.toLowerCase();
  return reportNames[type] ?? `Untitled${endings[type] ?? ''}`;
}
