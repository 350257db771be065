// Mail as any server on the Internet would send it: written by hand, delivered over SMTP.
import { setImmediate } from 'node:timers/promises';
import { connectSmtp, deliver } from '@keyfold/testing/smtp';
import { clusterKillsMs } from './cluster-mode.ts';

export type OutsideFile = {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
  /** Without brackets, for an image that the HTML references. */
  readonly contentId?: string;
};

export type OutsideMail = {
  readonly to: string;
  readonly from?: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly text?: string;
  readonly html?: string;
  readonly date?: Date;
  /** Additional header fields, each a whole line. */
  readonly fields?: readonly string[];
  readonly file?: OutsideFile;
  /** For more than one file. */
  readonly files?: readonly OutsideFile[];
  /** Replaces text, HTML and files: the lines from Content-Type on, verbatim. */
  readonly rawLines?: readonly string[];
};

export const olga = { name: 'Olga Outside', address: 'olga@outside.test' } as const;

const encodedWord = (text: string): string => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`;

const lines76 = (bytes: Uint8Array): string =>
  (
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,76}/g) ?? []
  ).join('\r\n');

const part = (type: string, content: string): string[] => [
  `Content-Type: ${type}; charset=utf-8`,
  'Content-Transfer-Encoding: base64',
  '',
  lines76(Buffer.from(content)),
];

const filePart = ({ name, type, bytes, contentId }: OutsideFile): string[] => [
  '--edge',
  `Content-Type: ${type}; name="${name}"`,
  `Content-Disposition: ${contentId === undefined ? 'attachment' : 'inline'}; filename="${name}"`,
  ...(contentId === undefined ? [] : [`Content-ID: <${contentId}>`]),
  'Content-Transfer-Encoding: base64',
  '',
  lines76(bytes),
];

function bodyOf({ text, html, file, files = [] }: OutsideMail): string[] {
  const outgoing = html === undefined ? part('text/plain', text ?? '') : part('text/html', html);
  const all = file === undefined ? files : [file, ...files];
  if (all.length === 0) return outgoing;
  return [
    'Content-Type: multipart/mixed; boundary="edge"',
    '',
    '--edge',
    ...outgoing,
    ...all.flatMap(filePart),
    '--edge--',
  ];
}

/** Returns the message as RFC 5322 bytes. */
function rawOf(mail: OutsideMail): string {
  const { name, address } = mail.from ?? olga;
  const id = mail.fields?.some(field => /^message-id:/i.test(field)) ?? false;
  return [
    `From: ${encodedWord(name)} <${address}>`,
    `To: ${mail.to}`,
    `Subject: ${encodedWord(mail.subject)}`,
    `Date: ${(mail.date ?? new Date()).toUTCString().replace('GMT', '+0000')}`,
    ...(id ? [] : [`Message-ID: <${crypto.randomUUID()}@outside.test>`]),
    'MIME-Version: 1.0',
    ...(mail.fields ?? []),
    ...(mail.rawLines ?? bodyOf(mail)),
    '',
  ].join('\r\n');
}

/** A message in another server's queue. */
export type Outgoing = {
  readonly from: string;
  readonly to: string;
  /**
   * Called when its turn in the queue comes; returns the same bytes when the message is delivered
   * again.
   */
  readonly write: () => string | Uint8Array;
};

type Queued = { readonly mail: Outgoing; raw: string | Uint8Array | null };

/** Runs one connection of another mail server: delivers the queue and removes accepted messages. */
async function deliverAll(smtpPort: number, queue: Queued[]): Promise<void> {
  const client = await connectSmtp(smtpPort);
  try {
    await client.reply();
    await client.command('EHLO outside.test');
    for (let next = queue[0]; next !== undefined; next = queue[0]) {
      const { from, to, write } = next.mail;
      next.raw ??= write();
      const answer = await deliver(client, { from, to: [to], raw: next.raw });
      if (!answer.startsWith('250')) throw new Error(`Refused: ${answer}`);
      queue.shift();
      // Messages of the same millisecond have no order, and tests list theirs in order.
      for (const takenAt = Date.now(); Date.now() === takenAt; ) await setImmediate();
    }
  } finally {
    client.destroy();
  }
}

/**
 * Returns whether the server was lost. A reply that it sends while shutting down is not a rejection
 * either.
 */
const isLost = (error: unknown): boolean =>
  error instanceof Error && (/connection ended|421/.test(error.message) || 'code' in error);

/**
 * Delivers messages one after the other over one connection, each in its own millisecond. Throws
 * when one is rejected.
 */
export async function bringMails(smtpPort: number, mails: readonly Outgoing[]): Promise<void> {
  const queue = mails.map(mail => ({ mail, raw: null }));
  for (;;) {
    try {
      return await deliverAll(smtpPort, queue);
    } catch (error) {
      // Where nodes are killed, the sender retries, as every mail server does.
      if (clusterKillsMs === null || !isLost(error)) throw error;
    }
  }
}

/** Like `bringMails`, for messages that are written here. */
export const sendFromOutside = (smtpPort: number, ...mails: readonly OutsideMail[]): Promise<void> =>
  bringMails(
    smtpPort,
    mails.map(mail => ({ from: (mail.from ?? olga).address, to: mail.to, write: () => rawOf(mail) })),
  );
