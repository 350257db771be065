// Initial content of a reply or forward: recipients, subject, quotation, references. Stateless
// rules; RFC 5322 §3.6.4 for the references.
import type { Person } from '../../../crypto/mail/outgoing-message.ts';
import { formatLocale, t } from '../../../lib/language.ts';
import { zoneOption } from '../../../lib/time-zone.ts';
import { personWords } from '../../../lib/words.ts';

/** The properties of the original message that a reply needs. */
export type Answered = {
  /** Message-ID in angle brackets; empty if the message has none. */
  readonly messageId: string;
  readonly references: readonly string[];
  readonly from: Person;
  readonly replyTo: readonly Person[];
  readonly to: readonly Person[];
  readonly cc: readonly Person[];
  readonly subject: string;
  readonly date: Date;
  readonly text: string;
  /** As received, not sanitized. */
  readonly html: string | null;
};

export type Opening = {
  readonly to: readonly Person[];
  readonly cc: readonly Person[];
  readonly bcc?: readonly Person[];
  readonly subject: string;
  readonly text: string;
  /** The messages quoted under the text; more than one when a conversation is forwarded. */
  readonly quoted: readonly Quoted[];
  /** The address that the message was sent to, if it belongs to the user. */
  readonly from: string | null;
  /** Pictures embedded in the quoted message, by Content-ID; they are sealed and uploaded again. */
  readonly pictures?: readonly { readonly file: File; readonly contentId: string }[];
  readonly inReplyTo: string | null;
  readonly references: readonly string[];
};

/** A message to quote, and the lines that precede it. */
export type Quoted = {
  readonly kind: 'reply' | 'forward';
  readonly head: readonly string[];
  readonly html: string | null;
  readonly text: string;
};

/**
 * Maximum number of Message-IDs in a reply's references; the first and the most recent ones matter.
 */
const MAX_REFERENCES = 50;

function withPrefix(prefix: string, subject: string): string {
  const bare = subject.replace(/^\s*((re|fwd?|aw|wg|sv|tr)\s*(\[\d+\])?\s*:\s*)+/i, '').trim();
  return `${prefix}: ${bare}`;
}

const wrote = (mail: Answered): string =>
  t('On {date}, {name} wrote:', {
    date: mail.date.toLocaleString(formatLocale(), {
      ...zoneOption(),
      dateStyle: 'medium',
      timeStyle: 'short',
    }),
    name: mail.from.name || mail.from.address,
  });

function referencesOf(mail: Answered): string[] {
  const all = [...new Set([...mail.references, mail.messageId].filter(id => id !== ''))];
  return all.length <= MAX_REFERENCES ? all : [...all.slice(0, 1), ...all.slice(-(MAX_REFERENCES - 1))];
}

function without(people: readonly Person[], gone: ReadonlySet<string>): Person[] {
  const seen = new Set(gone);
  return people.filter(({ address }) => {
    const key = address.toLowerCase();
    if (key === '' || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

const addressSet = (people: readonly Person[]): Set<string> =>
  new Set(people.map(one => one.address.toLowerCase()));

/**
 * Returns which of the user's addresses the message was sent to, or for the user's own message the
 * address it was sent from.
 */
function writtenTo(mail: Answered, own: ReadonlySet<string>): string | null {
  const isOwn = ({ address }: Person) => own.has(address.toLowerCase());
  return (isOwn(mail.from) ? mail.from : [...mail.to, ...mail.cc].find(isOwn))?.address.toLowerCase() ?? null;
}

/**
 * Creates a reply to the sender, or with `toAll` to all recipients. A reply to the user's own
 * message goes to its recipients.
 */
export function openReply(mail: Answered, own: ReadonlySet<string>, toAll: boolean): Opening {
  const isOwn = own.has(mail.from.address.toLowerCase());
  const senders = mail.replyTo.length > 0 ? mail.replyTo : [mail.from];
  const to = isOwn ? without(mail.to, new Set()) : without(senders, new Set());
  const others = isOwn ? mail.cc : [...mail.to, ...mail.cc];
  return {
    to,
    cc: toAll ? without(others, new Set([...own, ...addressSet(to)])) : [],
    subject: withPrefix('Re', mail.subject),
    text: '',
    quoted: [{ kind: 'reply', head: [wrote(mail)], html: mail.html, text: mail.text }],
    from: writtenTo(mail, own),
    inReplyTo: mail.messageId === '' ? null : mail.messageId,
    references: referencesOf(mail),
  };
}

/** Returns a message in its forwarded form. */
function forwarded(mail: Answered): Quoted {
  const date = mail.date.toLocaleString(formatLocale(), {
    ...zoneOption(),
    dateStyle: 'full',
    timeStyle: 'short',
  });
  const head = [
    `---------- ${t('Forwarded message')} ----------`,
    `${t('From')}: ${personWords(mail.from)}`,
    `${t('Date')}: ${date}`,
    `${t('Subject')}: ${mail.subject}`,
    `${t('To')}: ${mail.to.map(personWords).join(', ')}`,
    ...(mail.cc.length > 0 ? [`${t('Cc')}: ${mail.cc.map(personWords).join(', ')}`] : []),
  ];
  return { kind: 'forward', head, html: mail.html, text: mail.text };
}

/**
 * Creates a forward of one message, or of all messages of a conversation in order; the last one
 * determines subject and references.
 */
export function openForward(mails: readonly Answered[], own: ReadonlySet<string>): Partial<Opening> {
  const mail = mails.at(-1);
  if (mail === undefined) return {};
  return {
    to: [],
    cc: [],
    subject: withPrefix('Fwd', mail.subject),
    text: '',
    quoted: mails.map(forwarded),
    from: writtenTo(mail, own),
    inReplyTo: null,
    references: referencesOf(mail),
  };
}
