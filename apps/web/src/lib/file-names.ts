// What a file of a mail is called when the mail does not say. Names that are given are left as they are.

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

/** The file's own name, or one after its type. */
export function fileNameOf({ filename, mimeType }: Named): string {
  if (filename !== null && filename !== '') return filename;
  const type = mimeType.toLowerCase();
  return reportNames[type] ?? `Untitled${endings[type] ?? ''}`;
}
