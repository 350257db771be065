/**
 * Firebase Cloud Messaging (HTTP v1) for Android: signs in as a service account (RFC 7523), reuses
 * the token until shortly before it expires, and sends one message per request. Messages refer to
 * the app's own texts by key. firebase.google.com/docs/reference/fcm/rest/v1/projects.messages
 */
import { PUSH_KEPT_MS } from '../base/limits.ts';
import type { FcmConfig } from '../config/push.ts';
import { isShown, later, nameOf, type PushMessage, type PushOutcome, type PushSender } from './push.ts';

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
const SECOND_MS = 1000;
const ASSERTION_SECONDS = 3600;
/** How long before its expiry a token is renewed. */
const MARGIN_MS = 60 * SECOND_MS;
const ANSWER_MAX_BYTES = 64 * 1024;

type Token = { readonly text: string; readonly endsAtMs: number };

/** Signing in failed: the status, and when to retry. */
class SignInFailure extends Error {
  override readonly name = 'SignInFailure';
  readonly retryAfter: string | null;

  constructor(status: number, retryAfter: string | null) {
    super(`The token endpoint responded with status ${status}`);
    this.retryAfter = retryAfter;
  }
}

/**
 * Returns the text of a response; stops reading and returns an empty text when it is longer than
 * any legitimate response.
 */
async function readText(answer: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of answer.body ?? []) {
    pieces.push(piece);
    length += piece.length;
    if (length > ANSWER_MAX_BYTES) return '';
  }
  return Buffer.concat(pieces).toString('utf8');
}

async function readJson(answer: Response): Promise<Record<string, unknown>> {
  const text = await readText(answer);
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

async function signIn(config: FcmConfig, now: () => number, signal: AbortSignal): Promise<Token> {
  const { importPKCS8, SignJWT } = await import('jose');
  const issuedAt = Math.floor(now() / SECOND_MS);
  const assertion = await new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(config.clientEmail)
    .setAudience(config.tokenUri)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + ASSERTION_SECONDS)
    .sign(await importPKCS8(config.privateKey, 'RS256'));
  const answer = await fetch(config.tokenUri, {
    method: 'POST',
    redirect: 'error',
    body: new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }),
    signal,
  });
  const { access_token: text, expires_in: seconds } = await readJson(answer);
  if (!answer.ok || typeof text !== 'string')
    throw new SignInFailure(answer.status, answer.headers.get('retry-after'));
  const lifetimeMs = (typeof seconds === 'number' ? seconds : ASSERTION_SECONDS) * SECOND_MS;
  return { text, endsAtMs: now() + lifetimeMs - MARGIN_MS };
}

/**
 * Formats a message body: a type and an id. Texts are keys of the app's string resources. The
 * number of unread messages is omitted: Android launchers count the visible notifications, and a
 * launcher that adds up `notification_count` would count all unread messages once per notification.
 */
const formatMessage = (token: string, message: PushMessage) => ({
  message: {
    token,
    data: {
      type: message.type,
      ...(message.id === null ? {} : { id: message.id }),
    },
    android: {
      priority: isShown(message) ? 'HIGH' : 'NORMAL',
      ttl: `${PUSH_KEPT_MS / SECOND_MS}s`,
      ...(isShown(message)
        ? {
            notification: {
              title_loc_key: 'push_title',
              body_loc_key: `push_${message.type}`,
              tag: nameOf(message),
              channel_id: message.type === 'security' ? 'security' : 'mail',
              visibility: 'PRIVATE',
            },
          }
        : {}),
    },
  },
});

type FcmError = {
  readonly details?: readonly { readonly errorCode?: unknown; readonly fieldViolations?: unknown }[];
};

const isAboutToken = (violations: unknown): boolean =>
  Array.isArray(violations) && violations.some(one => (one as { field?: unknown }).field === 'message.token');

/**
 * Errors for tokens that are no longer registered, belong to another project, or are of a kind that
 * this app does not use.
 */
const DEAD: ReadonlySet<unknown> = new Set(['UNREGISTERED', 'SENDER_ID_MISMATCH', 'THIRD_PARTY_AUTH_ERROR']);

/**
 * Returns whether an error concerns the token. An invalid argument also means the token, unless
 * another field is named, because all other fields of our messages are fixed
 * (firebase.google.com/docs/cloud-messaging/error-codes).
 */
function isDead({ details = [] }: FcmError): boolean {
  if (!Array.isArray(details)) return false;
  const said = details.filter(detail => typeof detail === 'object' && detail !== null);
  if (said.some(({ errorCode, fieldViolations }) => DEAD.has(errorCode) || isAboutToken(fieldViolations)))
    return true;
  return (
    said.some(({ errorCode }) => errorCode === 'INVALID_ARGUMENT') &&
    said.every(({ fieldViolations }) => fieldViolations === undefined)
  );
}

async function judge(answer: Response): Promise<PushOutcome> {
  const retryAfter = answer.headers.get('retry-after');
  if (answer.ok) {
    await answer.body?.cancel();
    return { kind: 'sent' };
  }
  const { error } = await readJson(answer);
  const isTokenDead = isDead((typeof error === 'object' && error !== null ? error : {}) as FcmError);
  if (isTokenDead) return { kind: 'dead' };
  // A 404 without an error about the token means that the project does not exist; no device may be
  // removed because of that.
  if (answer.status === 401 || answer.status === 403 || answer.status === 404) return later(retryAfter, true);
  if (answer.status === 429 || answer.status >= 500) return later(retryAfter, true);
  return { kind: 'refused' };
}

/** Creates a sender for one project. `now` is milliseconds since 1970. */
export function createFcmSender(config: FcmConfig, now: () => number = Date.now): PushSender {
  let token: Token | null = null;
  let signingIn: Promise<Token> | null = null;

  const getToken = async (signal: AbortSignal): Promise<string> => {
    if (token !== null && token.endsAtMs > now()) return token.text;
    signingIn ??= signIn(config, now, signal).finally(() => {
      signingIn = null;
    });
    token = await signingIn;
    return token.text;
  };

  const place = `${config.apiBase}/v1/projects/${encodeURIComponent(config.projectId)}/messages:send`;
  return {
    send: async (to, message, signal) => {
      try {
        const bearer = await getToken(signal);
        const answer = await fetch(place, {
          method: 'POST',
          redirect: 'error',
          headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
          body: JSON.stringify(formatMessage(to, message)),
          signal,
        });
        const outcome = await judge(answer);
        if (answer.status === 401 && outcome.kind !== 'dead') token = null;
        return outcome;
      } catch (error) {
        return later(error instanceof SignInFailure ? error.retryAfter : null, true);
      }
    },
    close: () => undefined,
  };
}
