/**
 * Web Push for browsers and UnifiedPush for phones without the services of their makers: an address that the device names,
 * and a message that only it can open (RFC 8030, 8291, 8292). The address is a stranger's word: it is asked as pictures of
 * mails are, never a private one, and the connection goes to what was checked.
 */
import { createECDH, createHmac } from 'node:crypto';
import { z } from 'zod';
import { PUSH_KEPT_MS } from '../base/limits.ts';
import { askPublicWeb, isPublicWebUrl, type PublicWeb } from './outbound-http.ts';
import { isShown, later, nameOf, type PushMessage, type PushOutcome, type PushSender } from './push.ts';

const SECOND_MS = 1000;
/** Every message is this long before it is sealed: its length tells nobody what it says. */
const PADDED_CHARACTERS = 128;
/** The most that RFC 8030 §5.4 allows. */
const TOPIC_CHARACTERS = 32;
const ENDPOINT_MAX_CHARACTERS = 2_048;

export type VapidKeys = {
  readonly subject: string;
  /** Base64url, bare. */
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

/** An address as it is asked: without what names a place in the answer. */
function spellAddress(text: string): string {
  const url = new URL(text);
  url.hash = '';
  return url.href;
}

const spellBytes = (text: string): string => Buffer.from(text, 'base64url').toString('base64url');

/** The subscription in a token, spelt in one way; null when it is none, or leads where nothing is sent. */
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
 * What a message is called for the push service, so that a later one takes its place: the same for the same name, and to whoever
 * has not the device's secret no more than that.
 */
const topicOf = ({ keys }: Subscription, message: PushMessage): string =>
  createHmac('sha256', Buffer.from(keys.auth, 'base64url'))
    .update(`topic ${nameOf(message)}`)
    .digest('base64url')
    .slice(0, TOPIC_CHARACTERS);

/** A sender for both; `findKeys` is asked at every message. */
export const createWebPushSender = (web: PublicWeb, findKeys: () => Promise<VapidKeys>): PushSender => ({
  send: async (token, message, signal) => {
    const to = findSubscription(token);
    if (to === null) return { kind: 'dead' };
    try {
      // A library that nobody needs before somebody is pushed to.
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
      // No connection, or no way to it just now. Whatever it says names the address.
      return later();
    }
  },
  close: () => undefined,
});
