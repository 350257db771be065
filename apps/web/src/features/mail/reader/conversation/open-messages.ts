/**
 * Which messages of the open conversation are expanded: a pure reducer from events to the state.
 */
import type { MailRowData } from '../../state/mail-cache.ts';

/** The fields of a message that the reducer uses. */
type OpenableRow = { readonly mail: Pick<MailRowData['mail'], 'id' | 'draft' | 'read' | 'sent'> };

export type OpenMessages = {
  /** Id of the message whose conversation it is. */
  readonly mailId: string | null;
  /**
   * Whether the whole conversation was loaded, and not only the message shown in its place
   * meanwhile.
   */
  readonly isWhole: boolean;
  readonly ids: ReadonlySet<string>;
};

export type OpenMessagesEvent =
  /** The messages of a conversation are available; sent at every render. */
  | {
      readonly kind: 'shown';
      readonly mailId: string | null;
      readonly rows: readonly OpenableRow[];
      readonly isWhole: boolean;
    }
  | { readonly kind: 'toggled'; readonly id: string }
  | { readonly kind: 'unfolded'; readonly ids: readonly string[] };

export const NO_OPEN_MESSAGES: OpenMessages = { mailId: null, isWhole: false, ids: new Set() };

/**
 * Returns the messages expanded at first: the opened one, the unread ones and the last. A draft
 * opens in a composer instead.
 */
function firstOpen(mailId: string | null, rows: readonly OpenableRow[]): ReadonlySet<string> {
  const last = rows.findLast(({ mail }) => !mail.draft);
  const ids = rows
    .filter(({ mail }) => !mail.draft && (mail.id === mailId || (!mail.read && !mail.sent)))
    .map(({ mail }) => mail.id);
  return new Set(last === undefined ? ids : [...ids, last.mail.id]);
}

/** Returns the state after the event, or the same object when nothing changed. */
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
