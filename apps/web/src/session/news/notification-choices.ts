// Of what this device is to notify (docs/spec-map.md 3.32: all true by default), and at which hours it rests.
// Kept under the key of the specification, which goes at logout. Which mail is worth a notification is decided here too;
// showing it is notifier.ts'.
import { useSyncExternalStore } from 'react';
import { toFieldValue } from '../../lib/time-zone.ts';
import { findStored, forgetStored, keepStored } from '../../platform/storage.ts';

export type NotificationChoices = {
  /** All mail that arrives in the inbox. */
  readonly newEmails: boolean;
  /** Mail that names one of the user's addresses in To, also without newEmails. */
  readonly mentions: boolean;
  /** Notices of the service about the account. */
  readonly security: boolean;
  readonly quiet: boolean;
  /** Hours and minutes, as in 22:00; the rest may go over midnight. */
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

/** Whether a text is a time of the day. */
export const isClock = (text: string): boolean => clock.test(text);

/** Choices out of what is kept; what cannot be understood is as by default. */
export function readChoices(text: string | null): NotificationChoices {
  let kept: Record<string, unknown> = {};
  try {
    const parsed: unknown = JSON.parse(text ?? '{}');
    if (typeof parsed === 'object' && parsed !== null) kept = parsed as Record<string, unknown>;
  } catch {
    // Damaged: as if nothing was kept.
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

/** What is set. */
export function notificationChoices(): NotificationChoices {
  current ??= readChoices(findStored('notificationPreferences'));
  return current;
}

/** Changes and keeps some of it. */
export function setNotificationChoices(change: Partial<NotificationChoices>): void {
  current = { ...notificationChoices(), ...change };
  keepStored('notificationPreferences', JSON.stringify(current));
  for (const listener of listeners) listener();
}

/** Goes back to what is set for somebody new. */
export function forgetNotificationChoices(): void {
  current = null;
  forgetStored('notificationPreferences');
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What is set, live. */
export const useNotificationChoices = (): NotificationChoices =>
  useSyncExternalStore(subscribe, notificationChoices);

/** Whether it is an hour of rest, by the user's clock. */
export function isQuiet({ quiet, quietFrom, quietTo }: NotificationChoices, now: Date): boolean {
  if (!quiet) return false;
  const time = toFieldValue(now).slice(11);
  return quietFrom <= quietTo ? quietFrom <= time && time < quietTo : quietFrom <= time || time < quietTo;
}

export type ArrivedMail = {
  /** A notice of the service. */
  readonly isNotice: boolean;
  /** Addresses in To. */
  readonly to: readonly string[];
};

/** Whether a mail is worth a notification. `own` are the user's addresses, in small letters. */
export function isWorthNotifying(
  { newEmails, mentions, security }: NotificationChoices,
  { isNotice, to }: ArrivedMail,
  own: ReadonlySet<string>,
): boolean {
  if (isNotice) return security;
  return newEmails || (mentions && to.some(address => own.has(address.toLowerCase())));
}
