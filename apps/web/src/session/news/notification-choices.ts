// What this device notifies about (docs/spec-map.md 3.32: all true by default), and its quiet
// hours. Stored under the key of the specification, which sign-out removes. Also decides which
// messages are worth a notification; notifier.ts shows it.
import { useSyncExternalStore } from 'react';
import { toFieldValue } from '../../lib/time-zone.ts';
import { findStored, forgetStored, keepStored } from '../../platform/storage.ts';

export type NotificationChoices = {
  /** All messages that arrive in the inbox. */
  readonly newEmails: boolean;
  /** Messages that name one of the user's addresses in To, even without newEmails. */
  readonly mentions: boolean;
  /** Account notices from the service. */
  readonly security: boolean;
  readonly quiet: boolean;
  /** Hours and minutes, as in 22:00; quiet hours may span midnight. */
  readonly quietFrom: string;
  readonly quietTo: string;
};

const defaults: NotificationChoices = {
  newEmails: true,
  mentions: true,
  security: true,
  quiet: false,
  quietFrom: '22:00',
  quietTo: '07:00',
};

const clock = /^([01]\d|2[0-3]):[0-5]\d$/;

/** Returns whether a text is a time of day. */
export const isClock = (text: string): boolean => clock.test(text);

/** Parses stored choices; anything invalid takes its default. */
export function readChoices(text: string | null): NotificationChoices {
  let kept: Record<string, unknown> = {};
  try {
    const parsed: unknown = JSON.parse(text ?? '{}');
    if (typeof parsed === 'object' && parsed !== null) kept = parsed as Record<string, unknown>;
  } catch {
    // Damaged: treated as if nothing were stored.
  }
  const flag = (name: 'newEmails' | 'mentions' | 'security' | 'quiet'): boolean => {
    const value = kept[name];
    return typeof value === 'boolean' ? value : defaults[name];
  };
  const time = (name: 'quietFrom' | 'quietTo'): string => {
    const value = kept[name];
    return typeof value === 'string' && isClock(value) ? value : defaults[name];
  };
  return {
    newEmails: flag('newEmails'),
    mentions: flag('mentions'),
    security: flag('security'),
    quiet: flag('quiet'),
    quietFrom: time('quietFrom'),
    quietTo: time('quietTo'),
  };
}

let current: NotificationChoices | null = null;
const listeners = new Set<() => void>();

/** Returns the current choices. */
export function notificationChoices(): NotificationChoices {
  current ??= readChoices(findStored('notificationPreferences'));
  return current;
}

/** Changes and stores some choices. */
export function setNotificationChoices(change: Partial<NotificationChoices>): void {
  current = { ...notificationChoices(), ...change };
  keepStored('notificationPreferences', JSON.stringify(current));
  for (const listener of listeners) listener();
}

/** Restores the defaults of a new user. */
export function forgetNotificationChoices(): void {
  current = null;
  forgetStored('notificationPreferences');
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the current choices, live. */
export const useNotificationChoices = (): NotificationChoices =>
  useSyncExternalStore(subscribe, notificationChoices);

/** Returns whether `now` is within quiet hours, by the user's clock. */
export function isQuiet({ quiet, quietFrom, quietTo }: NotificationChoices, now: Date): boolean {
  if (!quiet) return false;
  const time = toFieldValue(now).slice(11);
  return quietFrom <= quietTo ? quietFrom <= time && time < quietTo : quietFrom <= time || time < quietTo;
}

export type ArrivedMail = {
  /** Whether it is a notice from the service. */
  readonly isNotice: boolean;
  /** Addresses in To. */
  readonly to: readonly string[];
};

/**
 * Returns whether a message is worth a notification. `own` holds the user's addresses in lowercase.
 */
export function isWorthNotifying(
  { newEmails, mentions, security }: NotificationChoices,
  { isNotice, to }: ArrivedMail,
  own: ReadonlySet<string>,
): boolean {
  if (isNotice) return security;
  return newEmails || (mentions && to.some(address => own.has(address.toLowerCase())));
}
