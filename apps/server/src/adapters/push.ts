/**
 * Push services as the server sees them: one interface for all kinds, and what they have in common. A push carries a type,
 * an id and a number, and no word of a mail (docs/interpretations.md#77). What is sent to whom is
 * features/clients/notifications's.
 */
import type { PushType } from '@keyfold/contract';

export const PUSH_KINDS = ['fcm', 'apns', 'webpush', 'unifiedpush'] as const;
export type PushKind = (typeof PUSH_KINDS)[number];

export type PushMessage = {
  readonly type: PushType;
  /** A mail's; null where there is none. Notifications on devices have the same id (docs/interpretations.md#94). */
  readonly id: string | null;
  /** Unread mails of the inbox, for the icon. */
  readonly badge: number;
};

/**
 * What became of a push. sent: the service has taken it. dead: the token is nobody's any more. refused: the service does not
 * want this, and would not the next time. later: not now; `isAll` when that is so for all devices of the kind.
 */
export type PushOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'dead' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'later'; readonly retryAfterMs: number | null; readonly isAll: boolean };

export type PushSender = {
  /** Never rejects. `token` is as it was registered, and hostile. */
  readonly send: (token: string, message: PushMessage, signal: AbortSignal) => Promise<PushOutcome>;
  readonly close: () => void;
};

/** Whether a push shows something, or only takes something away. */
export const isShown = ({ type }: PushMessage): boolean => type !== 'read';

/** What the notification is called on the device: a later one of the same name takes its place. */
export const nameOf = ({ type, id }: PushMessage): string => id ?? type;

const SECOND_MS = 1000;

/** Retry-After (RFC 9110 §10.2.3) in milliseconds from now; null when there is none, or it cannot be read. */
export function readRetryAfter(text: string | null | undefined, now = Date.now()): number | null {
  if (text === null || text === undefined) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND_MS;
  // A date has a name of a month; Date reads much that is none.
  const at = /[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

export const later = (retryAfter?: string | null, isAll = false): PushOutcome => ({
  kind: 'later',
  retryAfterMs: readRetryAfter(retryAfter),
  isAll,
});
