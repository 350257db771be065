// Opens the rows of a list inside the key worker, from their sealed summaries (docs/wire-format.md#summaries). Nothing here reads
// MIME, so that a list is shown before the parser is fetched; rows that need it fetch it.
import type { Email } from '@keyfold/contract';
import { isUnreadableMail, UNREADABLE_MAIL } from '@keyfold/contract/unreadable';
import { decodeBase64, type MessageSummary, openSummary } from '@keyfold/crypto/message';
import type { KeyCache } from '../keys/key-cache.ts';
import { getVault } from '../keys/vault-keeper.ts';
import { withStoredSender } from './row-sender.ts';

/** One row. When `failed` says why the sealed summary did not open, `summary` holds what the readable headers tell. */
export type OpenedRow = {
  readonly id: string;
  readonly kind: MailKind;
  readonly summary: MessageSummary;
  readonly failed: string | null;
  /** Another received mail has the very same sealed body: it was written and sealed once. */
  readonly isCopy?: true;
};

export type MailKind = 'mail' | 'alert' | 'placeholder';

const cannotOpen = 'Failed to decrypt message';

/** The words for a mail that did not open. */
export const failureText = (error: unknown): string =>
  error instanceof Error && error.message !== '' ? error.message : cannotOpen;

/** A draft that only holds a file yet: it has neither text nor headers (docs/spec-map.md 4). */
export const isPlaceholder = (mail: Email): boolean =>
  mail.draft && mail.summary === null && mail.headers === '';

/** What one wrote or sent oneself may lie beside it as received: one letter, sealed once for both. */
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

/** A draft gets a new wrap with each save, but keeps its key; when the key does not fit, the wrap is opened. */
async function openKnownSummary(
  key: Uint8Array,
  binding: string,
  sealed: string,
): Promise<MessageSummary | null> {
  return openSummary(key, decodeBase64(binding), sealed).catch(() => null);
}

/** Rows opened at once: Chromium's key operations run slower when a whole page of them is thrown at it. */
const ROWS_AT_ONCE = 8;

/** Which of these opened to a sealed body that another received mail has as well. */
function copiesAmong(mails: readonly Email[]): ReadonlySet<string> {
  let keys: KeyCache;
  try {
    keys = getVault().messageKeys;
  } catch {
    // Signed out meanwhile.
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

/** Opens the rows of a list, each by itself. Of rows that say to be the same mail none is opened. */
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

/** A message key wrapped for oneself, as `/user/rewrap` takes it. */
export type OwnWrapOf = {
  readonly email_id: string;
  readonly encrypted_key: string;
  readonly salt: string;
  readonly key_used: string;
};

/** What is needed of a mail for that: what else a row has was copied to this worker once already. */
type MailToWrap = { readonly id: string; readonly binding: string };

/**
 * Wraps the keys of rows that came with their sender's wrap under one's own sent_key, so that later lists carry 60 bytes
 * a row in place of 1,600 and need no key exchange. Left out are rows that were not opened, and those whose binding is not
 * that of what was opened: a wrap for it would vouch for a body that the server chose ([Note: Binding] in docs/crypto.md).
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
