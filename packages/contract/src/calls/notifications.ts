/**
 * Push notifications (docs/spec-map.md 7.70, 7.71; docs/interpretations.md#77 and #94): which devices of a user are told that
 * something came, and of what. What is pushed is a type, an id and a number; the words are made on the device.
 * docs/adr/0040-push.md.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf, nothing } from '../core/envelope.ts';
import { id, plainText } from '../core/fields.ts';
import { PUSH_TOKEN_MAX_CHARACTERS, PUSH_WORD_MAX_CHARACTERS } from '../core/limits.ts';
import { rowsOf } from '../core/rows.ts';

/**
 * What a device is. android: token of FCM. ios: token of APNs, hexadecimal. web and unifiedpush: the JSON of a subscription,
 * `{"endpoint", "keys": {"p256dh", "auth"}}`, as browsers give it.
 */
export const PUSH_PLATFORMS = ['android', 'ios', 'web', 'unifiedpush'] as const;
export type PushPlatform = (typeof PUSH_PLATFORMS)[number];

/**
 * What a push can say. mail, security: came, with its id. summary: more came than is told one by one. read: the mail of this
 * id needs no notification any more. test: somebody pressed the button.
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
  /** Mail that names one of the user's addresses in To, also without newEmails. */
  mentions: z.boolean().default(true),
  security: z.boolean().default(true),
  /** Hours in which nothing is pushed, by the clock of a time zone; they may go over midnight. */
  quiet: z
    .object({ from: clock, to: clock, time_zone: z.string().max(64).refine(isTimeZone, 'Not a time zone') })
    .nullable()
    .default(null),
});
export type PushPreferences = z.infer<typeof pushPreferences>;

const device = z.object({
  id,
  platform,
  device_info: deviceInfo,
  preferences: pushPreferences,
  /** Whether it was registered by the session that asks. */
  current: z.boolean(),
  created_at: z.string(),
  /** When it last said that it is there. */
  seen_at: z.string(),
  /** When its push service last took something. */
  sent_at: z.string().nullable(),
  /** Since when nothing has been taken. */
  failing_since: z.string().nullable(),
});
export type PushDevice = z.infer<typeof device>;

export const notificationsCalls = {
  status: defineCall({
    method: 'GET',
    path: '/user/notifications',
    access: 'user',
    about:
      'Which platforms this server can push to, the key that browsers and UnifiedPush ask for (VAPID), and one’s devices.',
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
      'Has this device told of what comes, as long as the session, or the kept device, lives. A token that is known is moved here; the oldest device goes when there are too many. 404 where it renews a device that is gone. 422 for a token that is none, or a platform that is off.',
    input: z.object({
      token,
      platform,
      device_info: deviceInfo.default({ model: '', platform: '', operatingSystem: '', osVersion: '' }),
      /** Left as they are when it is known already. */
      preferences: pushPreferences.optional(),
      /** The token that this device was registered by: where that was removed meanwhile, nothing is registered. */
      renews: token.optional(),
    }),
    output: dataOf(z.object({ id })),
  }),
  unregister: defineCall({
    method: 'POST',
    path: '/user/notifications/unregister',
    access: 'user',
    about: 'Forgets a device by its token; one that is not there is no error.',
    input: z.object({ token }),
    output: nothing,
  }),
  remove_device: defineCall({
    method: 'DELETE',
    path: '/user/notifications/devices/:id',
    access: 'user',
    about: 'Forgets one of one’s devices.',
    input: z.object({ id }),
    output: nothing,
  }),
  preferences: defineCall({
    method: 'POST',
    path: '/user/notifications/preferences',
    access: 'user',
    about:
      'Of what a device is told: the one of this token, or without one those that this session registered. How many there were.',
    input: pushPreferences.extend({ token: token.optional() }),
    output: dataOf(z.object({ updated: z.number() })),
  }),
  update_group_summary: defineCall({
    method: 'POST',
    path: '/user/notifications/update-group-summary',
    access: 'user',
    about: 'Remembers how many unread mails a group of notifications shows on a platform; never below 0.',
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
    about: 'Remembers the number on the program’s icon on a platform; never below 0.',
    input: z.object({ count: z.number(), platform }),
    output: dataOf(z.object({ count: z.number() })),
  }),
  test: defineCall({
    method: 'POST',
    path: '/user/notifications/test',
    access: 'user',
    about:
      'Pushes a test to the device of this token, or without one to those that this session registered. How many there were.',
    input: z.object({ token: token.optional() }),
    output: dataOf(z.object({ queued: z.number() })),
  }),
} as const;
