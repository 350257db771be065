/**
 * Fetches remote content for a reader, so that other sites see the server and never the reader:
 * images in messages, and one-click unsubscribing (RFC 8058). URLs are never logged or returned in
 * an error. Responses are verified to be images and returned as bytes without a type.
 */
import { Readable } from 'node:stream';
import { AppError } from '@keyfold/contract/errors';
import { askPublicWeb, WebRefusal, type WebRequest } from '../../../adapters/outbound-http.ts';
import {
  REMOTE_AT_ONCE,
  REMOTE_AT_ONCE_PER_USER,
  REMOTE_IMAGE_MAX_BYTES,
  REMOTE_REDIRECTS_MAX,
  REMOTE_TIMEOUT_MS,
  REMOTE_WAITING_PER_USER,
} from '../../../base/limits.ts';
import type { SentFile } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import { isUuid } from '../../../db/uuid.ts';
import { isImage } from './image-kinds.ts';
import { isOneClick } from './one-click.ts';
import { createOwnerLimiter, type OwnerLimiter } from './owner-limiter.ts';
import { findHeaders } from './store.ts';

type RemoteDeps = Pick<Deps, 'db' | 'dns' | 'masterKey' | 'outboundConnector'>;

/**
 * Same for every reader: it reveals that a user of this service fetched the content, but not which
 * user or with which client.
 */
const USER_AGENT = 'Mozilla/5.0 (compatible; Keyfold)';
const IMAGE_ACCEPT = 'image/avif,image/webp,image/png,image/jpeg,image/gif,image/bmp,image/x-icon';

export type Remote = {
  /** Fetches a remote image. Throws remote_refused, rate_limited. */
  readonly fetchImage: (userId: string, url: string) => Promise<SentFile>;
  /**
   * Unsubscribes with one click from the list that sent a message. Throws not_found, rate_limited,
   * and remote_refused, which also covers a URL that no signature of this very message covered: a
   * reader cannot be tricked into posting elsewhere.
   */
  readonly unsubscribe: (userId: string, mailId: string, url: string) => Promise<void>;
};

type Asked = Omit<WebRequest, 'signal' | 'maxRedirects'>;

async function ask(deps: Pick<RemoteDeps, 'dns' | 'outboundConnector'>, asked: Asked) {
  try {
    return await askPublicWeb(deps, {
      ...asked,
      maxRedirects: REMOTE_REDIRECTS_MAX,
      signal: AbortSignal.timeout(REMOTE_TIMEOUT_MS),
    });
  } catch (error) {
    // Omits the cause, so that a third-party URL does not reach a log.
    if (error instanceof WebRefusal) throw new AppError('remote_refused');
    throw error;
  }
}

const toFile = (bytes: Buffer): SentFile => ({
  sizeBytes: bytes.length,
  open: async range =>
    Readable.from([range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)]),
});

export const createRemote = (
  deps: RemoteDeps,
  turns: OwnerLimiter = createOwnerLimiter({
    perOwner: REMOTE_AT_ONCE_PER_USER,
    inAll: REMOTE_AT_ONCE,
    waitingPerOwner: REMOTE_WAITING_PER_USER,
  }),
): Remote => ({
  fetchImage: (userId, url) =>
    turns.take(userId, async () => {
      const { status, body } = await ask(deps, {
        url,
        method: 'GET',
        schemes: ['http:', 'https:'],
        headers: { 'user-agent': USER_AGENT, accept: IMAGE_ACCEPT },
        maxBytes: REMOTE_IMAGE_MAX_BYTES,
        mayLeaveOrigin: true,
      });
      if (status !== 200 || !isImage(body)) throw new AppError('remote_refused');
      return toFile(body);
    }),
  unsubscribe: async (userId, mailId, url) => {
    const mail = isUuid(mailId) ? await findHeaders(deps.db, userId, mailId) : undefined;
    if (mail === undefined) throw new AppError('not_found');
    if (!isOneClick(deps.masterKey, mail.headers, { userId, binding: mail.binding, url }))
      throw new AppError('remote_refused');
    await turns.take(userId, async () => {
      const { status } = await ask(deps, {
        url,
        method: 'POST',
        schemes: ['https:'],
        headers: { 'user-agent': USER_AGENT, 'content-type': 'application/x-www-form-urlencoded' },
        body: 'List-Unsubscribe=One-Click',
        maxBytes: 0,
        mayLeaveOrigin: false,
      });
      const isTaken = (status >= 200 && status < 300) || status === 303;
      if (!isTaken) throw new AppError('remote_refused');
    });
  },
});
