// Composes messages in the browser and on the server (RFC 5322, 2045-2047, 2231): CRLF throughout,
// 7-bit, lines of at most 76 characters wherever they can be folded. Files are bytes, or references
// to sealed containers (docs/wire-format.md#attachments). Does not sanitize HTML; callers must.

import { formatAddressList, formatMailbox, type Mailbox } from '../addresses.ts';
import { byteString, bytesOfLatin1, concatBytes, randomHex, utf8 } from '../bytes.ts';
import { MailError } from '../errors.ts';
import { encodeWords } from './encoded-words.ts';
import { type FileReference, formatReferenceHeader } from './external.ts';
import { neutralizeReferences } from './inert.ts';
import { formatParameter } from './parameters.ts';
import { formatDate, formatHeader } from './stored-headers.ts';
import { encodeBase64Pieces, encodeQuotedPrintable } from './transfer.ts';

/** A file to send: its content, or a reference to its sealed container. */
export type ComposeFile = {
  filename: string;
  mimeType: string;
  /**
   * Shown inline in the HTML as `cid:<contentId>`; angle brackets are added. Absent for a plain
   * attachment.
   */
  contentId?: string | undefined;
  content: Uint8Array | (FileReference & { sizeBytes: number });
};

/** A message to compose. Bcc is written only when given: for drafts and the sender's own copy. */
export type ComposeInput = {
  from: Mailbox;
  sender?: Mailbox | undefined;
  to?: readonly Mailbox[] | undefined;
  cc?: readonly Mailbox[] | undefined;
  bcc?: readonly Mailbox[] | undefined;
  replyTo?: readonly Mailbox[] | undefined;
  subject: string;
  date: Date;
  messageId: string;
  inReplyTo?: string | undefined;
  references?: readonly string[] | undefined;
  text?: string | undefined;
  html?: string | undefined;
  calendar?: { method: string; content: string } | undefined;
  files?: readonly ComposeFile[] | undefined;
  /**
   * Additional fields, unencoded. Invalid field names and fields that this composer writes itself
   * are rejected.
   */
  extraHeaders?: readonly (readonly [name: string, value: string])[] | undefined;
  /** For tests; random otherwise, so that no content can contain the boundary. */
  boundarySeed?: string | undefined;
};

type Part = {
  headers: string;
  body: readonly Uint8Array[];
};

const OWN_FIELDS = new Set(
  'from sender to cc bcc reply-to subject date message-id in-reply-to references mime-version'.split(' '),
);

function textPart(type: string, text: string, extra = ''): Part {
  const headers =
    formatHeader('Content-Type', `${type}; charset=utf-8${extra}`) +
    formatHeader('Content-Transfer-Encoding', 'quoted-printable');
  return { headers, body: [utf8(encodeQuotedPrintable(text))] };
}

function safeType(mimeType: string, isEmbedded: boolean): string {
  const type = mimeType.trim().toLowerCase();
  // A multipart or message label would make readers search base64 content for parts.
  const isContainer = type.startsWith('multipart/') || type.startsWith('message/');
  const isType = /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+$/.test(type);
  return isType && (!isContainer || isEmbedded) ? type : 'application/octet-stream';
}

// A forwarded message must be included unencoded (RFC 2046 §5.2.1), which works only for clean
// 7-bit messages.
function findEmbeddable(file: ComposeFile): Uint8Array | null {
  if (file.mimeType.trim().toLowerCase() !== 'message/rfc822' || !(file.content instanceof Uint8Array))
    return null;
  const text = byteString(file.content);
  const isClean = !/[^\t\r\n -~]|(?<!\r)\n|\r(?!\n)|[^\r\n]{999}/.test(text);
  return isClean ? neutralizeReferences(file.content) : null;
}

function filePart(file: ComposeFile): Part {
  const message = findEmbeddable(file);
  const type = safeType(file.mimeType, message !== null);
  const isText = type.startsWith('text/');
  const disposition = `${file.contentId ? 'inline' : 'attachment'}; ${formatParameter('filename', file.filename)}`;
  let headers = formatHeader(
    'Content-Type',
    `${type}${isText ? '; charset=utf-8' : ''}; ${formatParameter('name', file.filename)}`,
  );
  headers += formatHeader('Content-Disposition', disposition);
  if (file.contentId) headers += formatHeader('Content-ID', `<${contentId(file.contentId)}>`);
  headers += formatHeader('Content-Transfer-Encoding', message ? '7bit' : 'base64');
  if (message) return { headers, body: [message] };
  if (file.content instanceof Uint8Array) return { headers, body: encodeBase64Pieces(file.content) };
  const outer = formatReferenceHeader(file.content, file.content.sizeBytes, null);
  return { headers: outer.slice(0, -2), body: [bytesOfLatin1(headers)] };
}

function contentId(id: string): string {
  const bare = id.replace(/^<|>$/g, '');
  if (!/^[\u0021-\u003b\u003d\u003f-\u007e]{1,200}$/.test(bare)) throw new MailError('bad_header');
  return bare;
}

function multipart(kind: string, parts: readonly Part[], boundary: string, extra = ''): Part {
  const body: Uint8Array[] = [];
  for (const part of parts) {
    body.push(bytesOfLatin1(`--${boundary}\r\n${part.headers}\r\n`), ...part.body, bytesOfLatin1('\r\n'));
  }
  body.push(bytesOfLatin1(`--${boundary}--\r\n`));
  return { headers: formatHeader('Content-Type', `multipart/${kind};${extra} boundary="${boundary}"`), body };
}

function bodyPart(input: ComposeInput, nextBoundary: () => string): Part {
  const files = input.files ?? [];
  const inline = files.filter(file => file.contentId && input.html !== undefined);
  const attached = files.filter(file => !inline.includes(file));
  const views: Part[] = [];
  if (input.text !== undefined || (input.html === undefined && !input.calendar)) {
    views.push(textPart('text/plain', input.text ?? ''));
  }
  if (input.html !== undefined) {
    const html = textPart('text/html', input.html);
    views.push(
      inline.length
        ? multipart('related', [html, ...inline.map(filePart)], nextBoundary(), ' type="text/html";')
        : html,
    );
  }
  if (input.calendar) {
    views.push(
      textPart(
        'text/calendar',
        input.calendar.content,
        `; ${formatParameter('method', input.calendar.method)}`,
      ),
    );
  }
  const [only] = views;
  const content = views.length === 1 && only ? only : multipart('alternative', views, nextBoundary());
  return attached.length ? multipart('mixed', [content, ...attached.map(filePart)], nextBoundary()) : content;
}

function messageIds(ids: readonly string[]): string {
  return ids.filter(id => /^<[\u0021-\u003b\u003d\u003f-\u007e]{1,990}>$/.test(id)).join(' ');
}

/**
 * Returns the message as a payload (files in it may be references; [Note: Inert references] applies
 * to forwarded messages), or as raw mail when it has neither. Fails with `bad_address` or
 * `bad_header` when an address, a Content-ID or an extra field cannot be written. Line breaks in
 * other values become blanks, so no value can add a field.
 */
export function composeMessage(input: ComposeInput): Uint8Array {
  let block = '';
  const add = (name: string, value: string) => {
    if (value) block += formatHeader(name, value);
  };
  add('Date', formatDate(input.date));
  add('From', formatMailbox(input.from));
  if (input.sender) add('Sender', formatMailbox(input.sender));
  add('Reply-To', formatAddressList(input.replyTo ?? []));
  add('To', formatAddressList(input.to ?? []));
  add('Cc', formatAddressList(input.cc ?? []));
  add('Bcc', formatAddressList(input.bcc ?? []));
  add('Subject', encodeWords(input.subject.replace(/\p{Cc}+/gu, ' ').trim()));
  add('Message-ID', messageIds([input.messageId]));
  add('In-Reply-To', messageIds(input.inReplyTo ? [input.inReplyTo] : []));
  add('References', messageIds(input.references ?? []));
  for (const [name, value] of input.extraHeaders ?? []) {
    const key = name.toLowerCase();
    if (OWN_FIELDS.has(key) || key.startsWith('content-')) throw new MailError('bad_header');
    add(name, encodeWords(value.replace(/\p{Cc}+/gu, ' ').trim()));
  }
  add('MIME-Version', '1.0');
  let count = 0;
  const seed = input.boundarySeed ?? randomHex(16);
  const part = bodyPart(input, () => `=_keyfold_${seed}_${count++}`);
  return concatBytes([bytesOfLatin1(`${block}${part.headers}\r\n`), ...part.body, bytesOfLatin1('\r\n')]);
}
