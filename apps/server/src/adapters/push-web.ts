/**
 * Web Push for browsers, and UnifiedPush for phones without their vendor's push service: the device
 * supplies an endpoint, and only the device can decrypt the message (RFC 8030, 8291, 8292). The
 * endpoint is untrusted: like a remote image in a message, it is requested through the guarded
 * connector, which refuses private addresses and connects to the address that was checked.
 */
import { createECDH, createHmac } from 'node:crypto';
import { z } from 'zod';
import { PUSH_KEPT_MS } from '../base/limits.ts';
import { askPublicWeb, isPublicWebUrl, type PublicWeb } from './outbound-http.ts';
import { isShown, later, nameOf, type PushMessage, type PushOutcome, type PushSender } from './push.ts';

const SECOND_MS = 1000;
/**
 * Every message is padded to this length before encryption, so that its length reveals nothing
 * about its content.
 */
const PADDED_CHARACTERS = 128;
/** Maximum length that RFC 8030 §5.4 allows. */
const TOPIC_CHARACTERS = 32;
const ENDPOINT_MAX_CHARACTERS = 2_048;

export type VapidKeys = {
  readonly subject: string;
  /** Unpadded base64url. */
  readonly publicKey: string;
  readonly privateKey: string;
};

function isPoint(text: string): boolean {
  try {
    const ecdh = createECDH('prime256v1');
    ecdh.generateKeys();
    ecdh.computeSecret(Buffer.from(text, 'base64url'));
    return true;
  } catch {
    return false;
  }
}

const subscription = z.object({
  endpoint: z
    .string()
    .max(ENDPOINT_MAX_CHARACTERS)
    .refine(url => isPublicWebUrl(url, ['https:'])),
  keys: z.object({
    p256dh: z
      .string()
      .regex(/^[A-Za-z0-9_-]{87}=?$/)
      .refine(isPoint),
    auth: z.string().regex(/^[A-Za-z0-9_-]{22}(==)?$/),
  }),
});
type Subscription = z.infer<typeof subscription>;

/** Returns a URL as it is requested: without a fragment. */
function spellAddress(text: string): string {
  const url = new URL(text);
  url.hash = '';
  return url.href;
}

const spellBytes = (text: string): string => Buffer.from(text, 'base64url').toString('base64url');

/**
 * Returns the subscription in a token in its normal form; null if the token is not a subscription
 * or its address is not allowed.
 */
export function findSubscription(token: string): Subscription | null {
  try {
    const { endpoint, keys } = subscription.parse(JSON.parse(token));
    return {
      endpoint: spellAddress(endpoint),
      keys: { p256dh: spellBytes(keys.p256dh), auth: spellBytes(keys.auth) },
    };
  } catch {
    return null;
  }
}

function judge(status: number, retryAfter: string | undefined): PushOutcome {
  if (status >= 200 && status < 300) return { kind: 'sent' };
  if (status === 404 || status === 410) return { kind: 'dead' };
  if (status === 429 || status >= 500) return later(retryAfter);
  return { kind: 'refused' };
}

const formatMessage = ({ type, id, badge }: PushMessage): string =>
  JSON.stringify({ type, ...(id === null ? {} : { id }), badge }).padEnd(PADDED_CHARACTERS);

/**
 * Returns the topic that lets a later message replace an earlier one at the push service. Messages
 * with the same name have the same topic. Without the device's secret, the topic reveals nothing
 * else.
 */
const topicOf = ({ keys }: Subscription, message: PushMessage): string =>
  createHmac('sha256', Buffer.from(keys.auth, 'base64url'))
    .update(`topic ${nameOf(message)}`)
    .digest('base64url')
    .slice(0, TOPIC_CHARACTERS);

/** Creates a sender for both; `findKeys` is called for every message. */
export const createWebPushSender = (web: PublicWeb, findKeys: () => Promise<VapidKeys>): PushSender => ({
  send: async (token, message, signal) => {
    const to = findSubscription(token);
    if (to === null) return { kind: 'dead' };
    try {
      // Loaded lazily: the library is not needed before the first push.
      const { generateRequestDetails } = await import('web-push');
      const { headers, body } = generateRequestDetails(to, formatMessage(message), {
        vapidDetails: await findKeys(),
        TTL: PUSH_KEPT_MS / SECOND_MS,
        contentEncoding: 'aes128gcm',
        urgency: isShown(message) ? 'high' : 'low',
        topic: topicOf(to, message),
      });
      const { status, retryAfter } = await askPublicWeb(web, {
        url: to.endpoint,
        method: 'POST',
        schemes: ['https:'],
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
        body,
        maxBytes: 0,
        maxRedirects: 0,
        mayLeaveOrigin: false,
        signal,
      });
      return judge(status, retryAfter);
    } catch {
      // No connection, or no route at the moment. The error is not logged because it contains the
      // address.
      return later();
    }
  },
  close: () => undefined,
});
