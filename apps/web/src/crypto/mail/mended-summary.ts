// Compares a received mail with the summary that lists show of it, which was sealed when the mail came, perhaps by an older
// decoder. Runs inside the key worker, when the mail is opened; nothing is stored here.
import type { Email } from '@keyfold/contract';
import {
  decodeBase64,
  encodeBase64,
  type MessageSummary,
  openSummary,
  sealSummary,
} from '@keyfold/crypto/message';
import type { ParsedMessage } from '@keyfold/mail/mime/parse';
import { makeSummary } from '@keyfold/mail/mime/summary';
import { headersSummary } from './headers-summary.ts';
import { isReceivedMail } from './row-opener.ts';
import { withStoredSender } from './row-sender.ts';

/** What takes the place of a wrong summary. */
export type MendedSummary = {
  /** As rows show it. */
  readonly shown: MessageSummary;
  /** As it is stored, base64. */
  readonly sealed: string;
  /** SHA-256 of the stored one that it replaces, base64. */
  readonly was: string;
};

type OpenedWith = { readonly messageKey: Uint8Array; readonly binding: Uint8Array };

const peopleOf = (people: MessageSummary['to']): string[][] =>
  people.map(({ name, address }) => [name, address]);

const wordsOf = ({ subject, from, to, cc, date, snippet, attachments, invite }: MessageSummary): string =>
  JSON.stringify([subject, peopleOf([from]), peopleOf(to), peopleOf(cc), date, snippet, attachments, invite]);

/**
 * The right summary of a mail, or null where the stored one is right, does not open, or was made by who wrote the mail:
 * drafts, sent mail and notices are never mended.
 */
export async function findMended(
  mail: Email,
  parsed: ParsedMessage,
  { messageKey, binding }: OpenedWith,
): Promise<MendedSummary | null> {
  if (!isReceivedMail(mail) || mail.alert || mail.summary === null) return null;
  const stored = await openSummary(messageKey, binding, mail.summary).catch(() => null);
  if (stored === null) return null;
  // A message without a date of its own keeps the one that it got when it came.
  const right = makeSummary(parsed, stored.date);
  if (wordsOf(right) === wordsOf(stored)) return null;
  const digest = await crypto.subtle.digest('SHA-256', decodeBase64(mail.summary));
  return {
    shown: await withStoredSender(mail, right, async () => headersSummary(mail).from),
    sealed: await sealSummary(messageKey, binding, right),
    was: encodeBase64(new Uint8Array(digest)),
  };
}
