// Compares a received message with the summary that lists show, which was sealed on arrival,
// possibly by an older decoder. Runs inside the key worker when the message is opened; stores
// nothing.
import type { Email } from '@keyfold/contract';
import {
  decodeBase64,
  encodeBase64,
  type MessageSummary,
  openSummary,
  sealSummary,
} from '@keyfold/crypto/message';
import type { ParsedMessage } from '@keyfold/mail/mime/parse';
import { makeSnippet, makeSummary } from '@keyfold/mail/mime/summary';
import { getVault } from '../keys/vault-keeper.ts';
import { isPackedWhole } from './envelopes.ts';
import { headersSummary } from './headers-summary.ts';
import { isReceivedMail } from './row-opener.ts';
import { withStoredSender } from './row-sender.ts';

/** Replacement for a wrong summary. */
export type MendedSummary = {
  /** As lists show it. */
  readonly shown: MessageSummary;
  /** Sealed for storage, base64. */
  readonly sealed: string;
  /** SHA-256 of the stored summary that it replaces, base64. */
  readonly was: string;
};

type OpenedWith = { readonly messageKey: Uint8Array; readonly binding: Uint8Array };

const peopleOf = (people: MessageSummary['to']): string[][] =>
  people.map(({ name, address }) => [name, address]);

const wordsOf = ({ subject, from, to, cc, date, snippet, attachments, invite }: MessageSummary): string =>
  JSON.stringify([subject, peopleOf([from]), peopleOf(to), peopleOf(cc), date, snippet, attachments, invite]);

/**
 * Returns the correct summary of a message, or null if the stored one is correct, does not open, or
 * was made by the author of the message: drafts, sent messages and notices are never corrected.
 */
export async function findMended(
  mail: Email,
  parsed: ParsedMessage,
  { messageKey, binding }: OpenedWith,
): Promise<MendedSummary | null> {
  if (!isReceivedMail(mail) || mail.alert || mail.summary === null) return null;
  const stored = await openSummary(messageKey, binding, mail.summary).catch(() => null);
  if (stored === null) return null;
  // A message without a date keeps the date assigned on arrival.
  const made = makeSummary(parsed, stored.date);
  // The content of an Outlook envelope is not known here.
  const right = isPackedWhole(parsed) ? { ...made, snippet: stored.snippet } : made;
  if (wordsOf(right) === wordsOf(stored)) return null;
  return mendedOf(mail, mail.summary, right, { messageKey, binding });
}

async function mendedOf(
  mail: Email,
  before: string,
  right: MessageSummary,
  { messageKey, binding }: OpenedWith,
): Promise<MendedSummary> {
  const digest = await crypto.subtle.digest('SHA-256', decodeBase64(before));
  return {
    shown: await withStoredSender(mail, right, async () => headersSummary(mail).from),
    sealed: await sealSummary(messageKey, binding, right),
    was: encodeBase64(new Uint8Array(digest)),
  };
}

/** Text and HTML of a message, or at least the beginnings needed for a snippet. */
export type Bodies = { readonly text: string | null; readonly html: string | null };

/**
 * Returns the summary of a received message that was opened before, with a snippet of the unpacked
 * content; null if the summary already has it or no longer opens.
 */
export async function mendSnippet(mail: Email, { text, html }: Bodies): Promise<MendedSummary | null> {
  const { summary, binding } = mail;
  if (!isReceivedMail(mail) || mail.alert || summary === null || binding === null) return null;
  const messageKey = getVault().messageKeys.findFor(mail.id, binding)?.slice();
  if (messageKey === undefined) return null;
  const opened = { messageKey, binding: decodeBase64(binding) };
  try {
    const stored = await openSummary(messageKey, opened.binding, summary);
    const right = { ...stored, snippet: makeSnippet(text, html) };
    return wordsOf(right) === wordsOf(stored) ? null : await mendedOf(mail, summary, right, opened);
  } catch {
    return null;
  } finally {
    messageKey.fill(0);
  }
}
