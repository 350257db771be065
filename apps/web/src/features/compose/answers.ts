// The first words of a letter that answers or passes on another: recipients, subject, quotation, references. Plain rules
// without state; RFC 5322 §3.6.4 for the references.
import type { Person } from '../../crypto/letter.ts';

/** What an answer needs to know of the mail it answers. */
export type Answered = {
  /** Message-ID in angle brackets; empty when it has none. */
  readonly messageId: string;
  readonly references: readonly string[];
  readonly from: Person;
  readonly replyTo: readonly Person[];
  readonly to: readonly Person[];
  readonly cc: readonly Person[];
  readonly subject: string;
  readonly date: Date;
  readonly text: string;
};

export type Opening = {
  readonly to: readonly Person[];
  readonly cc: readonly Person[];
  readonly subject: string;
  readonly text: string;
  readonly inReplyTo: string | null;
  readonly references: readonly string[];
};

/** Most Message-IDs that an answer names; the first and the youngest matter. */
const maxReferences = 50;

const withPrefix = (prefix: string, subject: string): string => {
  const bare = subject.replace(/^\s*((re|fwd?|aw|wg|sv|tr)\s*(\[\d+\])?\s*:\s*)+/i, '').trim();
  return `${prefix}: ${bare}`;
};

const nameOf = (person: Person): string =>
  person.name ? `${person.name} <${person.address}>` : person.address;

const quote = (text: string): string =>
  text
    .trimEnd()
    .split(/\r?\n/)
    .map(line => (line.startsWith('>') ? `>${line}` : `> ${line}`))
    .join('\n');

const wrote = (mail: Answered): string =>
  `On ${mail.date.toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' })}, ${mail.from.name || mail.from.address} wrote:`;

const referencesOf = (mail: Answered): string[] => {
  const all = [...new Set([...mail.references, mail.messageId].filter(id => id !== ''))];
  return all.length <= maxReferences ? all : [...all.slice(0, 1), ...all.slice(-(maxReferences - 1))];
};

const without = (people: readonly Person[], gone: ReadonlySet<string>): Person[] => {
  const seen = new Set(gone);
  return people.filter(({ address }) => {
    const key = address.toLowerCase();
    if (key === '' || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
};

const addressSet = (people: readonly Person[]): Set<string> =>
  new Set(people.map(one => one.address.toLowerCase()));

/** An answer to the sender, or with `toAll` to everybody. One's own mail is answered to whom it went. */
export function openReply(mail: Answered, own: ReadonlySet<string>, toAll: boolean): Opening {
  const isOwn = own.has(mail.from.address.toLowerCase());
  const senders = mail.replyTo.length > 0 ? mail.replyTo : [mail.from];
  const to = isOwn ? without(mail.to, new Set()) : without(senders, new Set());
  const others = isOwn ? mail.cc : [...mail.to, ...mail.cc];
  return {
    to,
    cc: toAll ? without(others, new Set([...own, ...addressSet(to)])) : [],
    subject: withPrefix('Re', mail.subject),
    text: `\n\n${wrote(mail)}\n${quote(mail.text)}\n`,
    inReplyTo: mail.messageId === '' ? null : mail.messageId,
    references: referencesOf(mail),
  };
}

/** The mail passed on to somebody else. */
export function openForward(mail: Answered): Opening {
  const head = [
    '---------- Forwarded message ----------',
    `From: ${nameOf(mail.from)}`,
    `Date: ${mail.date.toLocaleString('en-US', { dateStyle: 'full', timeStyle: 'short' })}`,
    `Subject: ${mail.subject}`,
    `To: ${mail.to.map(nameOf).join(', ')}`,
    ...(mail.cc.length > 0 ? [`Cc: ${mail.cc.map(nameOf).join(', ')}`] : []),
  ];
  return {
    to: [],
    cc: [],
    subject: withPrefix('Fwd', mail.subject),
    text: `\n\n${head.join('\n')}\n\n${mail.text}`,
    inReplyTo: null,
    references: referencesOf(mail),
  };
}
