// Mailboxes of the IMAP server, and how SEARCH and FETCH select and show their messages.

export type ImapMail = {
  readonly uid: number;
  readonly raw: string;
  readonly flags?: readonly string[];
  /** INTERNALDATE as the protocol writes it: `05-Mar-2019 10:20:30 +0000`. */
  readonly date?: string;
  readonly labels?: readonly string[];
  /** The size that the server claims; the actual size when absent. */
  readonly saidBytes?: number;
};

export type ImapMailbox = {
  /** In modified UTF-7, as on the wire. */
  readonly name: string;
  /** Attributes of LIST: `\Sent`. */
  readonly attributes?: readonly string[];
  uidValidity?: number;
  mails: readonly ImapMail[];
};

const unquote = (text: string): string =>
  text.startsWith('"') ? text.slice(1, -1).replace(/\\(.)/g, '$1') : text;

export const quote = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

export const wordsOf = (text: string): string[] => (text.match(/"(?:[^"\\]|\\.)*"|\S+/g) ?? []).map(unquote);

/** Whether a UID is in a set such as `1:4,9,12:*`; `last` is the value of `*`. */
const isIn = (set: string, uid: number, last: number): boolean =>
  set.split(',').some(part => {
    const [from = 0, to = from] = part.split(':').map(one => (one === '*' ? last : Number(one)));
    return uid >= Math.min(from, to) && uid <= Math.max(from, to);
  });

const dayOf = (date: string): number => Date.parse(`${date.slice(0, 11).replaceAll('-', ' ')} UTC`);

const USUAL_DATE = '05-Mar-2019 10:20:30 +0000';

/** UIDs of the messages that UID SEARCH finds. */
export function searchMails(mails: readonly ImapMail[], query: string): number[] {
  const last = mails.at(-1)?.uid ?? 0;
  const set = /UID (\S+)/.exec(query)?.[1] ?? '1:*';
  const since = /SINCE (\S+)/.exec(query)?.[1];
  const found = mails.filter(
    ({ uid, date = USUAL_DATE }) =>
      isIn(set, uid, last) && (since === undefined || dayOf(date) >= dayOf(since)),
  );
  return found.map(({ uid }) => uid);
}

function fetchLine(mail: ImapMail, sequence: number, items: string): string {
  const { uid, raw, flags = [], date = USUAL_DATE, labels, saidBytes } = mail;
  const bytes = Buffer.byteLength(raw);
  const parts = [`UID ${uid}`, `FLAGS (${flags.join(' ')})`];
  if (items.includes('INTERNALDATE')) parts.push(`INTERNALDATE "${date}"`);
  if (items.includes('RFC822.SIZE')) parts.push(`RFC822.SIZE ${saidBytes ?? bytes}`);
  if (items.includes('X-GM-LABELS')) parts.push(`X-GM-LABELS (${(labels ?? []).map(quote).join(' ')})`);
  if (items.includes('BODY.PEEK[]')) parts.push(`BODY[] {${bytes}}\r\n${raw}`);
  return `* ${sequence} FETCH (${parts.join(' ')})`;
}

/** Responses to UID FETCH. `command` is `FETCH set items`. */
export function* fetchMails(mails: readonly ImapMail[], command: string): Generator<string> {
  const last = mails.at(-1)?.uid ?? 0;
  const [, set = '', ...items] = command.split(' ');
  for (const [index, mail] of mails.entries())
    if (isIn(set, mail.uid, last)) yield fetchLine(mail, index + 1, items.join(' '));
}
