// Parses pasted senders: one or many, addresses or whole domains, with names and separators.
import { SENDERS_MAX } from '@keyfold/contract/limits';
import { INVISIBLE } from '@keyfold/mail/invisible';
import { readRecipientList } from '@keyfold/mail/recipient-list';

/** Matches a whole domain among addresses. */
const domain = /(?:<@([^\s@<>,;]+)>|(?<=^|[\s,;])@([^\s@<>,;]+)(?=$|[\s,;]))/gu;

export type ReadSenders = {
  /** Lowercase and without duplicates, as the server stores them. */
  readonly senders: string[];
  /** Text that could not be parsed. */
  readonly unknown: string[];
};

/** Parses pasted text. Addresses are read like those in a recipient field. */
export function readSenders(text: string): ReadSenders {
  const senders = new Set<string>();
  const unknown: string[] = [];
  const readAddresses = (part: string) => {
    for (const { address, isValid } of readRecipientList(part).recipients)
      if (isValid) senders.add(address.toLowerCase());
      else unknown.push(address);
  };
  const visible = text.replace(INVISIBLE, '');
  let end = 0;
  for (const { 0: found, 1: angled, 2: bare, index } of visible.matchAll(domain)) {
    readAddresses(visible.slice(end, index));
    senders.add(`@${angled ?? bare}`.toLowerCase());
    end = index + found.length;
  }
  readAddresses(visible.slice(end));
  return { senders: [...senders].slice(0, SENDERS_MAX), unknown };
}
