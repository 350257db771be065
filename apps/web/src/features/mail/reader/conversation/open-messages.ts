/** Which messages of the open conversation are unfolded: a pure reducer from events to the state. */
import type { MailRowData } from '../../state/mail-cache.ts';

/** What is looked at of a mail of the conversation. */
type OpenableRow = { readonly mail: Pick<MailRowData['mail'], 'id' | 'draft' | 'read' | 'sent'> };

export type OpenMessages = {
  /** The mail whose conversation it is. */
  readonly mailId: string | null;
  /** Whether the whole conversation was there, and not only the mail that stands for it meanwhile. */
  readonly isWhole: boolean;
  readonly ids: ReadonlySet<string>;
};

export type OpenMessagesEvent =
  /** The mails of a conversation are there, at every drawing of them. */
  | {
      readonly kind: 'shown';
      readonly mailId: string | null;
      readonly rows: readonly OpenableRow[];
      readonly isWhole: boolean;
    }
  | { readonly kind: 'toggled'; readonly id: string }
  | { readonly kind: 'unfolded'; readonly ids: readonly string[] };

export const NO_OPEN_MESSAGES: OpenMessages = { mailId: null, isWhole: false, ids: new Set() };

/** At first: the mail that was opened, the unread ones and the last. A draft opens in a composer instead. */
function firstOpen(mailId: string | null, rows: readonly OpenableRow[]): ReadonlySet<string> {
  const last = rows.findLast(({ mail }) => !mail.draft);
  const ids = rows
    .filter(({ mail }) => !mail.draft && (mail.id === mailId || (!mail.read && !mail.sent)))
    .map(({ mail }) => mail.id);
  return new Set(last === undefined ? ids : [...ids, last.mail.id]);
}

/** The state after the event: the same object where nothing changed. */
export function reduceOpenMessages(state: OpenMessages, event: OpenMessagesEvent): OpenMessages {
  if (event.kind === 'shown') {
    const { mailId, rows, isWhole } = event;
    const isOther = state.mailId !== mailId || (isWhole && !state.isWhole);
    return isOther && rows.length > 0 ? { mailId, isWhole, ids: firstOpen(mailId, rows) } : state;
  }
  if (event.kind === 'unfolded') return { ...state, ids: new Set([...state.ids, ...event.ids]) };
  const ids = new Set(state.ids);
  if (!ids.delete(event.id)) ids.add(event.id);
  return { ...state, ids };
}
