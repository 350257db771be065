// Mail as any server on the Internet would bring it: written by hand, delivered over SMTP.
import { connectSmtp, deliver } from '@keyfold/testing/smtp';

export type OutsideMail = {
  readonly to: string;
  readonly from?: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly text?: string;
  readonly html?: string;
  readonly date?: Date;
  /** Further header fields, each a whole line. */
  readonly fields?: readonly string[];
  readonly file?: { readonly name: string; readonly type: string; readonly bytes: Uint8Array };
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

const bodyOf = ({ text, html, file }: OutsideMail): string[] => {
  const letter = html === undefined ? part('text/plain', text ?? '') : part('text/html', html);
  if (file === undefined) return letter;
  return [
    'Content-Type: multipart/mixed; boundary="edge"',
    '',
    '--edge',
    ...letter,
    '--edge',
    `Content-Type: ${file.type}; name="${file.name}"`,
    `Content-Disposition: attachment; filename="${file.name}"`,
    'Content-Transfer-Encoding: base64',
    '',
    lines76(file.bytes),
    '--edge--',
  ];
};

/** The mail as bytes of RFC 5322. */
const rawOf = (mail: OutsideMail): string => {
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
    ...bodyOf(mail),
    '',
  ].join('\r\n');
};

/** Delivers mails one after the other over one connection. Throws when one is refused. */
export const sendFromOutside = async (smtpPort: number, ...mails: readonly OutsideMail[]): Promise<void> => {
  const client = await connectSmtp(smtpPort);
  try {
    await client.reply();
    await client.command('EHLO outside.test');
    for (const mail of mails) {
      const from = (mail.from ?? olga).address;
      const answer = await deliver(client, { from, to: [mail.to], raw: rawOf(mail) });
      if (!answer.startsWith('250')) throw new Error(`Refused: ${answer}`);
    }
  } finally {
    client.destroy();
  }
};
