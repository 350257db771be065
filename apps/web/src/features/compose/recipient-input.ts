// From what is typed or pasted into a recipient field to addresses: which are finished, and what is still being typed.
// Looks nobody up; whether an address gets encryption is asked elsewhere.
import { isValidAddress, parseAddressList } from '@keyfold/mail/addresses';

export interface TypedRecipient {
  name: string;
  /** The address, or the text as typed when it is none. */
  address: string;
  isValid: boolean;
}

/** Splits at commas, semicolons and line ends that are not inside quotation marks or angle brackets. */
function splitList(text: string): string[] {
  const entries: string[] = [];
  let entry = '';
  let quoted = false;
  let angled = false;
  for (const char of text) {
    if (char === '"') quoted = !quoted;
    if (!quoted && char === '<') angled = true;
    if (!quoted && char === '>') angled = false;
    const isEnd = char === '\n' || (!quoted && !angled && (char === ',' || char === ';'));
    if (!isEnd) {
      entry += char;
      continue;
    }
    entries.push(entry);
    entry = '';
    if (char === '\n') {
      quoted = false;
      angled = false;
    }
  }
  entries.push(entry);
  return entries;
}

/** One finished entry; null when it is blank. */
function readEntry(entry: string): TypedRecipient | null {
  const text = entry.trim();
  if (text === '') return null;
  const [mailbox] = parseAddressList(text);
  if (mailbox !== undefined && isValidAddress(mailbox.address)) return { ...mailbox, isValid: true };
  return { name: '', address: text, isValid: false };
}

/** Everything in a text as recipients: for Enter, Tab, leaving the field, and paste. */
export function readRecipients(text: string): TypedRecipient[] {
  const found: TypedRecipient[] = [];
  for (const entry of splitList(text.replaceAll('\r', '\n'))) {
    const recipient = readEntry(entry);
    if (recipient !== null) found.push(recipient);
  }
  return found;
}

/** While typing: the entries that a separator has finished, and the rest. */
export function readTyped(text: string): { recipients: TypedRecipient[]; rest: string } {
  const entries = splitList(text);
  const rest = (entries.pop() ?? '').trimStart();
  return { recipients: readRecipients(entries.join('\n')), rest };
}
