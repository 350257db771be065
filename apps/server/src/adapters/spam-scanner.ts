/**
 * What another program thinks of a mail: rspamd over HTTP (`POST /checkv2`), when RSPAMD_URL names one. It gets the mail as
 * it came, readable, so it belongs on the same machine or a network of its own. Nothing depends on it: an answer that
 * does not come in time, or is none, is null, and after several of those it is left alone for a while.
 */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { CERTAIN_SPAM_POINTS, PROBABLE_SPAM_POINTS } from '../base/limits.ts';
import type { Logger } from '../base/logger.ts';
import { counter } from '../base/metrics.ts';

export type ScannedMessage = {
  readonly raw: Uint8Array;
  readonly clientIp: string;
  /** The name given with EHLO. */
  readonly helo: string;
  /** What the DNS calls that machine; null when it has no name or nobody knows. */
  readonly hostName: string | null;
  /** Envelope sender; empty for a bounce. */
  readonly envelopeFrom: string;
  /** Whether it is a letter of a user of ours: its sender is proved, and where it comes from says nothing. */
  readonly isOutgoing?: true;
};

export type SpamScanner = {
  /** Points on our scale (limits.ts), or null when there is no answer. Never rejects. */
  readonly scan: (message: ScannedMessage) => Promise<number | null>;
};

export type ScannerOptions = {
  readonly url: string;
  readonly logger: Logger;
  /** The longest a mail waits for an answer, milliseconds. */
  readonly timeLimitMs?: number;
  /** How long it is left alone after FAILURES_MAX failures in a row, milliseconds. */
  readonly restMs?: number;
};

const TIME_LIMIT_MS = 4_000;
const REST_MS = 30_000;
const FAILURES_MAX = 3;
/** Scans at one time: what they carry is in memory twice. Mail beyond that is judged without. */
const SCANS_AT_ONCE = 16;
/** Larger mail is not sent along; spam is small. */
const SCANNED_MAX_BYTES = 8 * 1024 * 1024;
const ANSWER_MAX_BYTES = 512 * 1024;

/** What rspamd's own words for what to do are worth at least. */
const ACTION_POINTS: Readonly<Record<string, number>> = {
  reject: CERTAIN_SPAM_POINTS,
  'add header': PROBABLE_SPAM_POINTS,
  'rewrite subject': PROBABLE_SPAM_POINTS,
};

const scans = counter('keyfold_spam_scans_total', 'Mails shown to rspamd, by outcome', ['outcome']);

/** A value of a header of ours; what others chose must not end it. */
const headerValue = (text: string): string => text.replace(/[^\u0020-\u007e]/g, '').slice(0, 512);

async function readAnswer(answer: IncomingMessage): Promise<unknown> {
  if (answer.statusCode !== 200) throw new Error(`rspamd answered ${answer.statusCode}`);
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > ANSWER_MAX_BYTES) throw new Error('rspamd answered too much');
    pieces.push(piece);
  }
  return JSON.parse(Buffer.concat(pieces).toString('utf8'));
}

const isFiniteNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value);

/** Points on our scale: rspamd's own limit for certain spam is ours. Throws when it is no answer of rspamd. */
function pointsOf(answer: unknown): number {
  const { score, required_score: limit, action } = (answer ?? {}) as Record<string, unknown>;
  if (!isFiniteNumber(score)) throw new Error('rspamd answered without a score');
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
        // A connection that rspamd has just given up would look like a failure: each scan has its own.
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
          // To rspamd, who has a user name has signed in.
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

/** A scanner that asks the rspamd at `url`. */
export function createRspamd({
  url,
  logger,
  timeLimitMs = TIME_LIMIT_MS,
  restMs = REST_MS,
}: ScannerOptions): SpamScanner {
  const place = new URL('checkv2', url.endsWith('/') ? url : `${url}/`);
  let running = 0;
  let failures = 0;
  /** When it may be asked again, by performance.now(). */
  let restsUntil = 0;

  const isResting = (): boolean => failures >= FAILURES_MAX && performance.now() < restsUntil;

  const fail = (error: unknown): void => {
    failures++;
    restsUntil = performance.now() + restMs;
    // The error's own text may name the place, which is the operator's, and nothing of the mail.
    if (failures === FAILURES_MAX)
      logger.warn({ err: error }, 'rspamd does not answer: mail is judged without it');
  };

  return {
    scan: async message => {
      if (message.raw.length > SCANNED_MAX_BYTES || running >= SCANS_AT_ONCE || isResting()) {
        scans.inc({ outcome: 'skipped' });
        return null;
      }
      // The first after a rest is the trial; others do not wait for it.
      if (failures >= FAILURES_MAX) restsUntil = performance.now() + restMs;
      running++;
      try {
        const points = await ask(place, message, timeLimitMs);
        if (failures >= FAILURES_MAX) logger.info('rspamd answers again');
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
