/**
 * Push notifications (docs/spec-map.md 7.70, 7.71; docs/interpretations.md#77 and #94): which of a
 * user's devices are notified, and of which events. A push carries a type, an id and a number; the
 * device composes the text. docs/adr/0040-push.md.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf, nothing } from '../core/envelope.ts';
import { id, plainText } from '../core/fields.ts';
import { PUSH_TOKEN_MAX_CHARACTERS, PUSH_WORD_MAX_CHARACTERS } from '../core/limits.ts';
import { rowsOf } from '../core/rows.ts';

/**
 * Kinds of device. android: FCM token. ios: APNs token, hexadecimal. web and unifiedpush: the JSON
 * of a subscription, `{"endpoint", "keys": {"p256dh", "auth"}}`, as browsers provide it.
 */
export const PUSH_PLATFORMS = ['android', 'ios', 'web', 'unifiedpush'] as const;
export type PushPlatform = (typeof PUSH_PLATFORMS)[number];

/**
 * Types of push. mail, security: one arrived, with its id. summary: more arrived than are reported
 * one by one. read: the message with this id no longer needs a notification. test: the user pressed
 * the test button.
 */
export const PUSH_TYPES = ['mail', 'security', 'summary', 'read', 'test'] as const;
export type PushType = (typeof PUSH_TYPES)[number];

const word = plainText(PUSH_WORD_MAX_CHARACTERS);
const token = z.string().min(1).max(PUSH_TOKEN_MAX_CHARACTERS);
const platform = z.enum(PUSH_PLATFORMS);

const deviceInfo = z.object({
  model: word.default(''),
  platform: word.default(''),
  operatingSystem: word.default(''),
  osVersion: word.default(''),
});

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== null;
  } catch {
    return false;
  }
}

export const pushPreferences = z.object({
  newEmails: z.boolean().default(true),
  /** Messages that name one of the user's addresses in To, even without newEmails. */
  mentions: z.boolean().default(true),
  security: z.boolean().default(true),
  /** Hours without pushes, in a given time zone; the range may cross midnight. */
  quiet: z
    .object({ from: clock, to: clock, time_zone: z.string().max(64).refine(isTimeZone, 'Unknown time zone') })
    .nullable()
    .default(null),
});
export type PushPreferences = z.infer<typeof pushPreferences>;

const device = z.object({
  id,
  platform,
  device_info: deviceInfo,
  preferences: pushPreferences,
  /** Whether the requesting session registered it. */
  current: z.boolean(),
  created_at: z.string(),
  /** When the device last checked in. */
  seen_at: z.string(),
  /** When its push service last accepted a push. */
  sent_at: z.string().nullable(),
  /** Time since which its push service has accepted nothing. */
  failing_since: z.string().nullable(),
});
export type PushDevice = z.infer<typeof device>;

export const notificationsCalls = {
  status: defineCall({
    method: 'GET',
    path: '/user/notifications',
    access: 'user',
    about:
      'The push platforms of this server, the VAPID key for browsers and UnifiedPush, and the devices of the caller.',
    input: z.object({}),
    output: dataOf(
      z.object({
        platforms: z.array(platform),
        /** Uncompressed P-256 point, base64url. */
        vapid_public_key: z.string(),
        devices: rowsOf(device),
      }),
    ),
  }),
  register: defineCall({
    method: 'POST',
    path: '/user/notifications/register',
    access: 'user',
    about:
      'Registers this device for push notifications until its session or trusted device ends. A known token moves to this device. The oldest device is removed if there are too many. 404 for the renewal of a removed device. 422 for an invalid token or a disabled platform.',
    input: z.object({
      token,
      platform,
      device_info: deviceInfo.default({ model: '', platform: '', operatingSystem: '', osVersion: '' }),
      /** Unchanged when the device is already registered. */
      preferences: pushPreferences.optional(),
      /**
       * Token that this device was registered with before. If that registration has been removed
       * meanwhile, nothing is registered.
       */
      renews: token.optional(),
    }),
    output: dataOf(z.object({ id })),
  }),
  unregister: defineCall({
    method: 'POST',
    path: '/user/notifications/unregister',
    access: 'user',
    about: 'Removes a device by its token. Succeeds if the device is unknown.',
    input: z.object({ token }),
    output: nothing,
  }),
  remove_device: defineCall({
    method: 'DELETE',
    path: '/user/notifications/devices/:id',
    access: 'user',
    about: 'Removes a device of the caller.',
    input: z.object({ id }),
    output: nothing,
  }),
  preferences: defineCall({
    method: 'POST',
    path: '/user/notifications/preferences',
    access: 'user',
    about:
      'Sets which notifications a device receives: the device of this token, or, without a token, the devices that this session registered. Returns the number of devices.',
    input: pushPreferences.extend({ token: token.optional() }),
    output: dataOf(z.object({ updated: z.number() })),
  }),
  update_group_summary: defineCall({
    method: 'POST',
    path: '/user/notifications/update-group-summary',
    access: 'user',
    about: 'Stores how many unread messages a group of notifications shows on a platform; at least 0.',
    input: z.object({
      groupKey: plainText(PUSH_WORD_MAX_CHARACTERS).min(1),
      unreadCount: z.number(),
      platform,
    }),
    output: dataOf(z.object({ unreadCount: z.number() })),
  }),
  update_badge: defineCall({
    method: 'POST',
    path: '/user/notifications/update-badge',
    access: 'user',
    about: 'Stores the number on the app icon on a platform; at least 0.',
    input: z.object({ count: z.number(), platform }),
    output: dataOf(z.object({ count: z.number() })),
  }),
  test: defineCall({
    method: 'POST',
    path: '/user/notifications/test',
    access: 'user',
    about:
      'Sends a test notification to the device of this token, or, without a token, to the devices that this session registered. Returns the number of devices.',
    input: z.object({ token: token.optional() }),
    output: dataOf(z.object({ queued: z.number() })),
  }),
} as const;
