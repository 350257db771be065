// Senders as they are pasted: one or many, an address or a whole domain, with names and commas around them.
import { SENDERS_MAX } from '@keyfold/contract/limits';

const address = /^[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;]+$|^[^\s@<>,;]+@localhost$/u;
const domain = /^@[^\s@<>,;]+$/u;

export interface ReadSenders {
  /** In small letters, each once, as the server keeps them. */
  readonly senders: string[];
  /** What could not be understood. */
  readonly unknown: string[];
}

/** Reads what was pasted. */
export function readSenders(text: string): ReadSenders {
  const senders = new Set<string>();
  const unknown: string[] = [];
  for (const line of text.split(/[\n,;]+/)) {
    const inBrackets = /<([^<>]+)>/.exec(line)?.[1] ?? line;
    const sender = inBrackets.trim().toLowerCase();
    if (sender === '') continue;
    if (address.test(sender) || domain.test(sender)) senders.add(sender);
    else unknown.push(line.trim());
  }
  return { senders: [...senders].slice(0, SENDERS_MAX), unknown };
}
