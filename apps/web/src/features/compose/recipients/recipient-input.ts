// From what is typed or pasted into a recipient field to addresses: which are finished, and what is still being typed.
// Looks nobody up; whether an address gets encryption is asked elsewhere.
import { endOfFinished, type ListedRecipient, readRecipientList } from '@keyfold/mail/recipient-list';
import { t } from '../../../lib/language.ts';
import { showToast } from '../../../ui/toasts.ts';

export type TypedRecipient = ListedRecipient;

/** Everything in a text as recipients: for Enter, Tab, leaving the field, and paste. Says when it left something out. */
export function readRecipients(text: string): TypedRecipient[] {
  const { recipients, hadHidden } = readRecipientList(text);
  if (hadHidden)
    showToast({
      tone: 'warning',
      text: t('Invisible characters were removed from the recipients. Check the addresses.'),
    });
  return recipients;
}

/** Whether anybody can be written to in a text. */
export const hasRecipient = (text: string): boolean =>
  readRecipientList(text).recipients.some(one => one.isValid);

/** While typing: the entries that a separator has finished, and the rest. */
export function readTyped(text: string): { recipients: TypedRecipient[]; rest: string } {
  const end = endOfFinished(text);
  return { recipients: readRecipients(text.slice(0, end)), rest: text.slice(end).trimStart() };
}

/** A text with something pasted into it; a blank keeps a word before from becoming part of a pasted address. */
export function withPasted(before: string, pasted: string, after: string): string {
  const isGlued = /^\s*[@＠]/.test(pasted) || !/[@＠]/.test(pasted);
  const end = /[@＠]/.test(pasted) && after !== '' ? ` ${after}` : after;
  return isGlued ? `${before}${pasted}${end}` : `${before} ${pasted}${end}`;
}
