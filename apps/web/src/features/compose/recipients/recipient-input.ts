// Parses typed or pasted text of a recipient field into addresses: which entries are complete, and
// what is still being typed. Does not look up recipients or their encryption.
import { endOfFinished, type ListedRecipient, readRecipientList } from '@keyfold/mail/recipient-list';
import { t } from '../../../lib/language.ts';
import { showToast } from '../../../ui/toasts.ts';

export type TypedRecipient = ListedRecipient;

/**
 * Parses a whole text as recipients: on Enter, Tab, blur and paste. Reports when something was left
 * out.
 */
export function readRecipients(text: string): TypedRecipient[] {
  const { recipients, hadHidden } = readRecipientList(text);
  if (hadHidden)
    showToast({
      tone: 'warning',
      text: t('Invisible characters were removed from the recipients. Check the addresses before you send.'),
    });
  return recipients;
}

/** Returns whether a text contains a usable recipient. */
export const hasRecipient = (text: string): boolean =>
  readRecipientList(text).recipients.some(one => one.isValid);

/** While typing: returns the entries completed by a separator, and the rest. */
export function readTyped(text: string): { recipients: TypedRecipient[]; rest: string } {
  const end = endOfFinished(text);
  return { recipients: readRecipients(text.slice(0, end)), rest: text.slice(end).trimStart() };
}

/** Inserts pasted text; a space keeps a preceding word from becoming part of a pasted address. */
export function withPasted(before: string, pasted: string, after: string): string {
  const isGlued = /^\s*[@＠]/.test(pasted) || !/[@＠]/.test(pasted);
  const end = /[@＠]/.test(pasted) && after !== '' ? ` ${after}` : after;
  return isGlued ? `${before}${pasted}${end}` : `${before} ${pasted}${end}`;
}
