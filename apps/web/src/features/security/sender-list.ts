// Senders as they are pasted: one or many, an address or a whole domain, with names and separators around them.
import { SENDERS_MAX } from '@keyfold/contract/limits';
import { INVISIBLE } from '@keyfold/mail/invisible';
import { readRecipientList } from '@keyfold/mail/recipient-list';

/** A whole domain among addresses. */
const domain = /(?:<@([^\s@<>,;]+)>|(?<=^|[\s,;])@([^\s@<>,;]+)(?=$|[\s,;]))/gu;

export type ReadSenders = {
  /** In small letters, each once, as the server keeps them. */
  readonly senders: string[];
  /** What could not be understood. */
  readonly unknown: string[];
};

/** Reads what was pasted; addresses as a recipient field reads them. */
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
