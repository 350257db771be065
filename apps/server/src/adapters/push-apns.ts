/**
 * Apple Push Notification service for iOS: HTTP/2, one connection for all, a token of the provider's key (ES256) that is
 * renewed within Apple's bounds. What is shown is named by keys of the app's own texts.
 * developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns
 */
import { type ClientHttp2Session, connect, constants, type IncomingHttpHeaders } from 'node:http2';
import { importPKCS8, SignJWT } from 'jose';
import { PUSH_KEPT_MS } from '../base/limits.ts';
import type { ApnsConfig } from '../config/push.ts';
import { isShown, later, nameOf, type PushMessage, type PushOutcome, type PushSender } from './push.ts';

const SECOND_MS = 1000;
/** Apple takes a token between twenty minutes and an hour old, and no new one more often. */
const TOKEN_KEPT_MS = 50 * 60 * SECOND_MS;
const ANSWER_MAX_BYTES = 4096;

export type ApnsOptions = ApnsConfig & {
  /** Certificate authority to trust in place of the usual ones. */
  readonly ca?: string;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
};

/**
 * A type, an id, and the number of unread mails: nothing but a push can set the number on the icon while the program does not run.
 */
const formatMessage = (message: PushMessage): string =>
  JSON.stringify({
    aps: isShown(message)
      ? {
          alert: { 'title-loc-key': 'push_title', 'loc-key': `push_${message.type}` },
          sound: 'default',
          badge: message.badge,
          'thread-id': message.type === 'security' ? 'security' : 'mail',
          'mutable-content': 1,
        }
      : // With a number here the system would not wake the program: that stands beside it.
        { 'content-available': 1 },
    type: message.type,
    ...(isShown(message) ? {} : { badge: message.badge }),
    ...(message.id === null ? {} : { id: message.id }),
  });

type Answer = { readonly status: number; readonly retryAfter: string | null; readonly reason: string };

const DEAD: ReadonlySet<string> = new Set([
  'BadDeviceToken',
  'DeviceTokenNotForTopic',
  'Unregistered',
  'ExpiredToken',
]);

function judge({ status, retryAfter, reason }: Answer): PushOutcome {
  if (status === 200) return { kind: 'sent' };
  if (status === 410 || DEAD.has(reason)) return { kind: 'dead' };
  // Of one device alone are 429's TooManyRequests; the rest is about us or about Apple.
  if (status === 429) return later(retryAfter, reason !== 'TooManyRequests');
  if (status === 403 || status >= 500) return later(retryAfter, true);
  return { kind: 'refused' };
}

function readReason(body: string): string {
  try {
    const { reason } = JSON.parse(body) as { reason?: unknown };
    return typeof reason === 'string' ? reason : '';
  } catch {
    return '';
  }
}

const ask = (
  session: ClientHttp2Session,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const stream = session.request(headers, { signal });
    let head: IncomingHttpHeaders = {};
    let text = '';
    stream.setEncoding('utf8');
    stream.on('response', got => {
      head = got;
    });
    stream.on('data', (piece: string) => {
      if (text.length < ANSWER_MAX_BYTES) text += piece;
    });
    stream.on('error', reject);
    stream.on('end', () => {
      const status = Number(head[constants.HTTP2_HEADER_STATUS]);
      if (Number.isNaN(status)) reject(new Error('The connection ended without an answer'));
      else resolve({ status, retryAfter: head['retry-after'] ?? null, reason: readReason(text) });
    });
    stream.end(body);
  });

/** A sender for one app. */
export function createApnsSender({ ca, now = Date.now, ...config }: ApnsOptions): PushSender {
  let session: ClientHttp2Session | null = null;
  let token: { readonly text: Promise<string>; readonly madeAtMs: number } | null = null;

  const drop = (old: ClientHttp2Session): void => {
    if (session === old) session = null;
  };
  const getSession = (): ClientHttp2Session => {
    if (session !== null && !session.closed && !session.destroyed) return session;
    const fresh = connect(config.apiBase, ca === undefined ? {} : { ca });
    fresh.on('error', () => drop(fresh));
    fresh.on('close', () => drop(fresh));
    // What was sent before is still answered.
    fresh.on('goaway', () => {
      drop(fresh);
      fresh.close();
    });
    fresh.unref();
    session = fresh;
    return fresh;
  };
  const makeToken = async (madeAtMs: number): Promise<string> =>
    new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: config.keyId })
      .setIssuer(config.teamId)
      .setIssuedAt(Math.floor(madeAtMs / SECOND_MS))
      .sign(await importPKCS8(config.key, 'ES256'));
  /** One for all, also for those that ask while it is made: Apple refuses who comes with many. */
  const getToken = (): Promise<string> => {
    if (token === null || now() - token.madeAtMs >= TOKEN_KEPT_MS)
      token = { text: makeToken(now()), madeAtMs: now() };
    return token.text;
  };

  return {
    send: async (to, message, signal) => {
      let used: ClientHttp2Session | null = null;
      try {
        const bearer = await getToken();
        used = getSession();
        const answer = await ask(
          used,
          {
            ':method': 'POST',
            ':path': `/3/device/${encodeURIComponent(to)}`,
            authorization: `bearer ${bearer}`,
            'apns-topic': config.topic,
            'apns-push-type': isShown(message) ? 'alert' : 'background',
            'apns-priority': isShown(message) ? '10' : '5',
            'apns-collapse-id': nameOf(message),
            'apns-expiration': String(Math.floor((now() + PUSH_KEPT_MS) / SECOND_MS)),
            'content-type': 'application/json',
          },
          formatMessage(message),
          signal,
        );
        if (answer.reason === 'ExpiredProviderToken') token = null;
        return judge(answer);
      } catch {
        // A connection that answers nothing any more is not asked again.
        if (signal.aborted) used?.destroy();
        return later(null, true);
      }
    },
    close: () => {
      session?.destroy();
    },
  };
}
