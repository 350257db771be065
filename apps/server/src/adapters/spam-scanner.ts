/**
 * Scores messages with rspamd over HTTP (`POST /checkv2`), when RSPAMD_URL names one. It receives
 * the message in plaintext, so it belongs on the same machine or a private network. Nothing depends
 * on it: a late or invalid response counts as null, and after several of those a circuit breaker
 * pauses the scans.
 */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { CERTAIN_SPAM_POINTS, PROBABLE_SPAM_POINTS } from '../base/limits.ts';
import type { Logger } from '../base/logger.ts';
import { counter } from '../base/metrics.ts';

export type ScannedMessage = {
  readonly raw: Uint8Array;
  readonly clientIp: string;
  /** The name given in EHLO. */
  readonly helo: string;
  /** The sending machine's name in the DNS; null when it has none or the lookup failed. */
  readonly hostName: string | null;
  /** Envelope sender; empty for a bounce. */
  readonly envelopeFrom: string;
  /**
   * Whether one of our users sends the message: the sender is authenticated, and the origin is
   * irrelevant.
   */
  readonly isOutgoing?: true;
};

export type SpamScanner = {
  /** Returns a score on our scale (limits.ts), or null without a response. Never rejects. */
  readonly scan: (message: ScannedMessage) => Promise<number | null>;
};

export type ScannerOptions = {
  readonly url: string;
  readonly logger: Logger;
  /** Maximum time a message waits for a response, in milliseconds. */
  readonly timeLimitMs?: number;
  /** How long scans pause after FAILURES_MAX consecutive failures, in milliseconds. */
  readonly restMs?: number;
};

const TIME_LIMIT_MS = 4_000;
const REST_MS = 30_000;
const FAILURES_MAX = 3;
/**
 * Maximum concurrent scans, because each holds its message in memory twice. Messages beyond that
 * are judged without a scan.
 */
const SCANS_AT_ONCE = 16;
/** Larger messages are not scanned; spam is small. */
const SCANNED_MAX_BYTES = 8 * 1024 * 1024;
const ANSWER_MAX_BYTES = 512 * 1024;

/** Minimum score for each action that rspamd recommends. */
const ACTION_POINTS: Readonly<Record<string, number>> = {
  reject: CERTAIN_SPAM_POINTS,
  'add header': PROBABLE_SPAM_POINTS,
  'rewrite subject': PROBABLE_SPAM_POINTS,
};

const scans = counter('keyfold_spam_scans_total', 'Messages scanned by rspamd, by outcome', ['outcome']);

/** Sanitizes the value of a request header; untrusted text must not be able to end the header. */
const headerValue = (text: string): string => text.replace(/[^\u0020-\u007e]/g, '').slice(0, 512);

async function readAnswer(answer: IncomingMessage): Promise<unknown> {
  if (answer.statusCode !== 200) throw new Error(`rspamd responded with status ${answer.statusCode}`);
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > ANSWER_MAX_BYTES) throw new Error('The response of rspamd is too large');
    pieces.push(piece);
  }
  return JSON.parse(Buffer.concat(pieces).toString('utf8'));
}

const isFiniteNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value);

/**
 * Converts to a score on our scale, where rspamd's own limit for certain spam equals ours. Throws
 * when the response is not rspamd's.
 */
function pointsOf(answer: unknown): number {
  const { score, required_score: limit, action } = (answer ?? {}) as Record<string, unknown>;
  if (!isFiniteNumber(score)) throw new Error('The response of rspamd has no score');
  const scale = isFiniteNumber(limit) && limit > 0 ? CERTAIN_SPAM_POINTS / limit : 1;
  const least = typeof action === 'string' ? ACTION_POINTS[action] : undefined;
  return Math.max(score * scale, least ?? Number.NEGATIVE_INFINITY);
}

function ask(url: URL, message: ScannedMessage, timeLimitMs: number): Promise<number> {
  const body = Buffer.from(message.raw.buffer, message.raw.byteOffset, message.raw.byteLength);
  const signal = AbortSignal.timeout(timeLimitMs);
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(
      url,
      {
        method: 'POST',
        // Each scan has its own connection: a reused connection that rspamd has just closed would
        // look like a failure.
        agent: false,
        signal,
        headers: {
          'content-type': 'message/rfc822',
          'content-length': body.length,
          connection: 'close',
          ip: headerValue(message.clientIp),
          helo: headerValue(message.helo),
          ...(message.hostName === null ? {} : { hostname: headerValue(message.hostName) }),
          from: headerValue(message.envelopeFrom),
          // rspamd treats a sender with a user name as authenticated.
          ...(message.isOutgoing === true ? { user: 'keyfold' } : {}),
        },
      },
      answer => {
        readAnswer(answer)
          .then(pointsOf)
          .then(resolve, reject)
          .finally(() => answer.destroy());
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

/** Creates a scanner that uses the rspamd at `url`. */
export function createRspamd({
  url,
  logger,
  timeLimitMs = TIME_LIMIT_MS,
  restMs = REST_MS,
}: ScannerOptions): SpamScanner {
  const place = new URL('checkv2', url.endsWith('/') ? url : `${url}/`);
  let running = 0;
  let failures = 0;
  /** End of the pause, by performance.now(). */
  let restsUntil = 0;

  const isResting = (): boolean => failures >= FAILURES_MAX && performance.now() < restsUntil;

  const fail = (error: unknown): void => {
    failures++;
    restsUntil = performance.now() + restMs;
    // The error's text may contain the operator's server address, but nothing of the message.
    if (failures === FAILURES_MAX)
      logger.warn({ err: error }, 'rspamd unavailable, using the built-in scorer only');
  };

  return {
    scan: async message => {
      if (message.raw.length > SCANNED_MAX_BYTES || running >= SCANS_AT_ONCE || isResting()) {
        scans.inc({ outcome: 'skipped' });
        return null;
      }
      // The first scan after a pause is the probe; others do not wait for it.
      if (failures >= FAILURES_MAX) restsUntil = performance.now() + restMs;
      running++;
      try {
        const points = await ask(place, message, timeLimitMs);
        if (failures >= FAILURES_MAX) logger.info('rspamd available again');
        failures = 0;
        scans.inc({ outcome: 'answered' });
        return points;
      } catch (error) {
        fail(error);
        scans.inc({ outcome: 'failed' });
        return null;
      } finally {
        running--;
      }
    },
  };
}
