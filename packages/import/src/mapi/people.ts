// Senders and recipients of an item as mailboxes. Exchange identifies people by names of its own
// directory. People without an address get an undeliverable one (RFC 2606), so that their names are
// kept.

import { isValidAddress, type Mailbox } from '@keyfold/mail/addresses';
import type { MapiBag, MapiItem } from './item.ts';
import { TAGS } from './tags.ts';

/** Placeholder address of a person without one. */
export const NOBODY = 'unknown@unknown.invalid';
const RECIPIENTS_MAX = 2_000;
const KINDS = { 1: 'to', 2: 'cc', 3: 'bcc' } as const;

export type Recipients = {
  to: Mailbox[];
  cc: Mailbox[];
  bcc: Mailbox[];
};

/**
 * Removes the characters of `ends` from the end of a text. Scans backwards, so runs of them
 * elsewhere cost nothing.
 */
function withoutEnd(text: string, ends: RegExp): string {
  let length = text.length;
  while (length > 0 && ends.test(text.charAt(length - 1))) length--;
  return text.slice(0, length);
}

const bare = (text: string): string => withoutEnd(text.replace(/^['"<\s]+/, ''), /['">\s]/);

/** Returns the mailbox of a person with these texts, any of which may be ''; null when all are. */
export function findMailbox(name: string, candidates: readonly string[]): Mailbox | null {
  const texts = [...candidates, name].map(bare);
  const address = texts.find(isValidAddress);
  const shown = bare(name);
  if (address !== undefined) return { name: shown === address ? '' : shown, address };
  const directory = texts.find(text => /^\/o=/i.test(text));
  const local = (directory?.split(/\/cn=/i).at(-1) ?? '').toLowerCase().replace(/[^a-z0-9-]+/g, '-');
  const short = withoutEnd(local.replace(/^-+/, ''), /-/).slice(0, 64);
  if (short !== '') return { name: shown, address: `${short}@exchange.invalid` };
  return shown === '' ? null : { name: shown, address: NOBODY };
}

async function person(bag: MapiBag, name: number, candidates: readonly number[]): Promise<Mailbox | null> {
  const texts = await Promise.all(candidates.map(id => bag.text(id)));
  return findMailbox(await bag.text(name), texts);
}

/**
 * Returns the author of an item, and the sender if another person sent it on the author's behalf.
 */
export async function readSenders(item: MapiItem): Promise<{ from: Mailbox; sender: Mailbox | undefined }> {
  const bag = item.properties;
  const sender = await person(bag, TAGS.senderName, [TAGS.senderSmtp, TAGS.senderAddress]);
  const from =
    (await person(bag, TAGS.representingName, [TAGS.representingSmtp, TAGS.representingAddress])) ?? sender;
  const isOther =
    sender !== null && from !== null && sender.address !== from.address && sender.address !== NOBODY;
  return { from: from ?? { name: '', address: NOBODY }, sender: isOther ? sender : undefined };
}

/** Returns the names in a display line: all that is left when there is no recipient table. */
function shownPeople(line: string): Mailbox[] {
  return line.split(';', RECIPIENTS_MAX).flatMap(name => findMailbox(name, []) ?? []);
}

export async function readRecipients(item: MapiItem): Promise<Recipients> {
  const people: Recipients = { to: [], cc: [], bcc: [] };
  for (const bag of (await item.recipients()).slice(0, RECIPIENTS_MAX)) {
    const kind = KINDS[((bag.number(TAGS.recipientType) ?? 1) & 0xff) as 1 | 2 | 3];
    const name = (await bag.text(TAGS.recipientName)) || (await bag.text(TAGS.displayName));
    const mailbox = findMailbox(name, [await bag.text(TAGS.smtpAddress), await bag.text(TAGS.emailAddress)]);
    if (kind !== undefined && mailbox !== null) people[kind].push(mailbox);
  }
  if (people.to.length + people.cc.length + people.bcc.length > 0) return people;
  const bag = item.properties;
  return {
    to: shownPeople(await bag.text(TAGS.displayTo)),
    cc: shownPeople(await bag.text(TAGS.displayCc)),
    bcc: shownPeople(await bag.text(TAGS.displayBcc)),
  };
}
