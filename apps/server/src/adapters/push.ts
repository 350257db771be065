/**
 * The interface of all push services, and what they have in common. A push contains a type, an id
 * and a number, but no content of a message (docs/interpretations.md#77).
 * features/clients/notifications decides what is sent to whom.
 */
import type { PushType } from '@keyfold/contract';

export const PUSH_KINDS = ['fcm', 'apns', 'webpush', 'unifiedpush'] as const;
export type PushKind = (typeof PUSH_KINDS)[number];

export type PushMessage = {
  readonly type: PushType;
  /**
   * Id of the message; null when the push is not about one. Notifications on devices have the same
   * id (docs/interpretations.md#94).
   */
  readonly id: string | null;
  /** Number of unread messages in the inbox, for the icon's badge. */
  readonly badge: number;
};

/**
 * Result of a push. sent: the service accepted it. dead: the token is no longer valid. refused: the
 * service rejects this push, and would reject it again. later: temporarily unavailable; `isAll`
 * when this affects all devices of the kind.
 */
export type PushOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'dead' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'later'; readonly retryAfterMs: number | null; readonly isAll: boolean };

export type PushSender = {
  /** Never rejects. `token` is as it was registered, and untrusted. */
  readonly send: (token: string, message: PushMessage, signal: AbortSignal) => Promise<PushOutcome>;
  readonly close: () => void;
};

/** Returns whether a push shows a notification, as opposed to only removing one. */
export const isShown = ({ type }: PushMessage): boolean => type !== 'read';

/**
 * Returns the name of the notification on the device; a later notification with the same name
 * replaces it.
 */
export const nameOf = ({ type, id }: PushMessage): string => id ?? type;

const SECOND_MS = 1000;

/**
 * Returns Retry-After (RFC 9110 §10.2.3) in milliseconds from now; null when it is absent or
 * invalid.
 */
export function readRetryAfter(text: string | null | undefined, now = Date.now()): number | null {
  if (text === null || text === undefined) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND_MS;
  // A date contains the name of a month; Date also parses many texts that are not dates.
  const at = /[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

export const later = (retryAfter?: string | null, isAll = false): PushOutcome => ({
  kind: 'later',
  retryAfterMs: readRetryAfter(retryAfter),
  isAll,
});
