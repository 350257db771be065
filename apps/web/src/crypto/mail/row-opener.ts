// Opens the rows of a list inside the key worker, from their sealed summaries
// (docs/wire-format.md#summaries). Does not read MIME, so that a list is shown before the parser is
// loaded; rows that need the parser load it.
import type { Email } from '@keyfold/contract';
import { isUnreadableMail, UNREADABLE_MAIL } from '@keyfold/contract/unreadable';
import { decodeBase64, type MessageSummary, openSummary } from '@keyfold/crypto/message';
import type { KeyCache } from '../keys/key-cache.ts';
import { getVault } from '../keys/vault-keeper.ts';
import { withStoredSender } from './row-sender.ts';

/**
 * One row. When `failed` says why the sealed summary did not open, `summary` is built from the
 * readable headers.
 */
export type OpenedRow = {
  readonly id: string;
  readonly kind: MailKind;
  readonly summary: MessageSummary;
  readonly failed: string | null;
  /** Another received message has exactly the same encrypted body, written and encrypted once. */
  readonly isCopy?: true;
};

export type MailKind = 'mail' | 'alert' | 'placeholder';

const cannotOpen = 'Failed to decrypt message';

/** Returns the error text for a message that did not open. */
export const failureText = (error: unknown): string =>
  error instanceof Error && error.message !== '' ? error.message : cannotOpen;

/**
 * Returns whether a message is a draft that only holds a file so far: it has neither text nor
 * headers (docs/spec-map.md 4).
 */
export const isPlaceholder = (mail: Email): boolean =>
  mail.draft && mail.summary === null && mail.headers === '';

/**
 * Own drafts and sent messages do not count: the same message, sealed once, may also exist as a
 * received one.
 */
export const isReceivedMail = ({ sent, draft }: Email): boolean => !sent && !draft;

const headersSummary = async (mail: Email): Promise<MessageSummary> =>
  (await import('./headers-summary.ts')).headersSummary(mail);

async function openRow(mail: Email, isDoubled: boolean): Promise<OpenedRow> {
  const { id } = mail;
  if (isDoubled) return { id, kind: 'mail', summary: await headersSummary(mail), failed: cannotOpen };
  if (isUnreadableMail(mail))
    return { id, kind: 'mail', summary: await headersSummary(mail), failed: UNREADABLE_MAIL };
  if (mail.alert) return { id, kind: 'alert', summary: await headersSummary(mail), failed: null };
  if (isPlaceholder(mail))
    return { id, kind: 'placeholder', summary: await headersSummary(mail), failed: null };
  try {
    const own = await openSummaryOf(mail);
    const summary = await withStoredSender(mail, own, async () => (await headersSummary(mail)).from);
    return { id, kind: 'mail', summary, failed: null };
  } catch (error) {
    return { id, kind: 'mail', summary: await headersSummary(mail), failed: failureText(error) };
  }
}

async function openSummaryOf(mail: Email): Promise<MessageSummary> {
  const { opener, messageKeys } = getVault();
  const { id, summary, binding } = mail;
  const isReceived = isReceivedMail(mail);
  if (summary === null || binding === null) throw new Error(cannotOpen);
  const known = messageKeys.find(id);
  if (known !== null) {
    const again = await openKnownSummary(known, binding, summary);
    if (again !== null) {
      messageKeys.keep(id, known, binding, isReceived);
      return again;
    }
    messageKeys.forget(id);
  }
  const opened = await opener.openSummary({ ...mail, summary, binding });
  messageKeys.keep(id, opened.messageKey, binding, isReceived);
  return opened.summary;
}

/**
 * Each save gives a draft a new wrap but the same key; if the cached key does not fit, the wrap is
 * opened.
 */
async function openKnownSummary(
  key: Uint8Array,
  binding: string,
  sealed: string,
): Promise<MessageSummary | null> {
  return openSummary(key, decodeBase64(binding), sealed).catch(() => null);
}

/**
 * Maximum number of rows opened in parallel: Chromium's key operations get slower when a whole page
 * of them starts at once.
 */
const ROWS_AT_ONCE = 8;

/** Returns those whose encrypted body another received message also has. */
function copiesAmong(mails: readonly Email[]): ReadonlySet<string> {
  let keys: KeyCache;
  try {
    keys = getVault().messageKeys;
  } catch {
    // The user signed out in the meantime.
    return new Set();
  }
  const copied = keys.copiedBodies();
  return new Set(
    mails.flatMap(mail => {
      const { id, binding } = mail;
      if (!isReceivedMail(mail) || binding === null || !copied.has(binding)) return [];
      return keys.findFor(id, binding) === null ? [] : [id];
    }),
  );
}

/**
 * Opens the rows of a list independently of each other. Rows that claim to be the same message are
 * not opened.
 */
export async function openRows(mails: readonly Email[]): Promise<OpenedRow[]> {
  const opened: OpenedRow[] = [];
  const counts = new Map<string, number>();
  for (const { id } of mails) counts.set(id, (counts.get(id) ?? 0) + 1);
  for (let start = 0; start < mails.length; start += ROWS_AT_ONCE) {
    const some = mails.slice(start, start + ROWS_AT_ONCE);
    opened.push(...(await Promise.all(some.map(mail => openRow(mail, counts.get(mail.id) !== 1)))));
  }
  const copies = copiesAmong(mails);
  return opened.map(row => (copies.has(row.id) ? { ...row, isCopy: true } : row));
}

/** The user's own wrap of a message key, as `/user/rewrap` takes it. */
export type OwnWrapOf = {
  readonly email_id: string;
  readonly encrypted_key: string;
  readonly salt: string;
  readonly key_used: string;
};

/**
 * The fields needed to wrap a message key: the other fields of the row were already copied to this
 * worker once.
 */
type MailToWrap = { readonly id: string; readonly binding: string };

/**
 * Wraps the keys of rows that arrived with their sender's wrap under the user's sent_key, so that
 * later lists carry 60 bytes per row instead of 1,600 and need no key exchange. Leaves out rows
 * that were not opened, and those whose binding differs from that of the opened body: a wrap for it
 * would vouch for a body that the server chose ([Note: Binding] in docs/crypto.md).
 */
export async function wrapOpened(mails: readonly MailToWrap[]): Promise<OwnWrapOf[]> {
  const { opener, messageKeys } = getVault();
  const wraps = mails.map(async ({ id, binding }): Promise<OwnWrapOf[]> => {
    const key = messageKeys.findFor(id, binding);
    if (key === null) return [];
    return [{ email_id: id, ...(await opener.wrapForSelf(key, binding)) }];
  });
  return (await Promise.all(wraps)).flat();
}
