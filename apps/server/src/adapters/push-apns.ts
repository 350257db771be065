/**
 * Apple Push Notification service for iOS: HTTP/2, one shared connection, and a provider token
 * (ES256) that is renewed within Apple's limits. Messages refer to the app's own texts by key.
 * developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns
 */
import { type ClientHttp2Session, connect, constants, type IncomingHttpHeaders } from 'node:http2';
import { PUSH_KEPT_MS } from '../base/limits.ts';
import type { ApnsConfig } from '../config/push.ts';
import { isShown, later, nameOf, type PushMessage, type PushOutcome, type PushSender } from './push.ts';

const SECOND_MS = 1000;
/**
 * Apple accepts tokens for up to an hour and rejects new tokens more often than every twenty
 * minutes.
 */
const TOKEN_KEPT_MS = 50 * 60 * SECOND_MS;
const ANSWER_MAX_BYTES = 4096;

export type ApnsOptions = ApnsConfig & {
  /** Certificate authority to trust instead of the system's. */
  readonly ca?: string;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
};

/**
 * Contains a type, an id, and the number of unread messages: only a push can update the icon's
 * badge while the app is not running.
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
      : // A badge here would keep the system from waking the app, so it is sent as a separate field.
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
  // Only 429 TooManyRequests concerns a single device; other 429 responses concern this server or
  // Apple.
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
      if (Number.isNaN(status)) reject(new Error('The connection closed before a response'));
      else resolve({ status, retryAfter: head['retry-after'] ?? null, reason: readReason(text) });
    });
    stream.end(body);
  });

/** Creates a sender for one app. */
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
    // Requests sent before are still answered.
    fresh.on('goaway', () => {
      drop(fresh);
      fresh.close();
    });
    fresh.unref();
    session = fresh;
    return fresh;
  };
  const makeToken = async (madeAtMs: number): Promise<string> => {
    const { importPKCS8, SignJWT } = await import('jose');
    return new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: config.keyId })
      .setIssuer(config.teamId)
      .setIssuedAt(Math.floor(madeAtMs / SECOND_MS))
      .sign(await importPKCS8(config.key, 'ES256'));
  };
  /**
   * Returns one token shared by all callers, including those that ask while it is created: Apple
   * rejects providers that send many tokens.
   */
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
        // A connection that stops responding is not reused.
        if (signal.aborted) used?.destroy();
        return later(null, true);
      }
    },
    close: () => {
      session?.destroy();
    },
  };
}
