/**
 * Receives reports of other servers about this one: on mail from our domains (DMARC), on TLS of
 * mail to us, and complaints of readers about mail of our users. Kept are counts by domain and day,
 * and that a user's mail was complained about.
 *
 * [Note: Proved reports] Only mail that a domain authenticates is parsed: anything else costs a
 * thread and proves nothing. Duplicates are detected by that domain, not by the name in the report.
 * The daily limit counts by its organizational domain, because subdomains cost nothing.
 */
import { findHeader, readHeaders } from '@keyfold/mail/mime/headers';
import { parseStructured } from '@keyfold/mail/mime/parameters';
import {
  RECEIVED_REPORTS_PER_DAY_MAX,
  REPORT_MAIL_MAX_BYTES,
  REPORTED_AHEAD_MAX_MS,
  REPORTED_BACK_MAX_MS,
  REPORTED_COUNT_MAX,
  REPORTS_OF_ONE_PER_DAY_MAX,
  REPORTS_WAITING_MAX,
  REPORTS_WAITING_MAX_BYTES,
  REPORTS_WAITING_PER_NETWORK_MAX,
} from '../../../base/limits.ts';
import { counter } from '../../../base/metrics.ts';
import { COMPLAINT_AGE_MAX_MS } from '../../../base/sending-limits.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Aggregate } from './aggregate.ts';
import { openFeedbackId } from './feedback-id.ts';
import { readReport } from './reader.ts';
import { insertComplaint, insertReport } from './store.ts';

type ReceiverDeps = Pick<Deps, 'clock' | 'config' | 'db' | 'logger' | 'masterKey'>;

const DAILY = { ofOneMax: REPORTS_OF_ONE_PER_DAY_MAX, max: RECEIVED_REPORTS_PER_DAY_MAX } as const;

const received = counter(
  'keyfold_received_reports_total',
  'Received reports of other servers about this one',
  ['outcome'],
);

const REPORT_TYPES =
  /^(?:multipart\/(?:report|mixed)|application\/(?:(?:x-)?gzip|zip|x-zip-compressed|xml|octet-stream)|text\/xml)$/;

/**
 * Whether a message looks like a report. Parsing needs a thread, which not every message to
 * `abuse@` should get.
 */
function isWorthReading(raw: Uint8Array): boolean {
  const type = parseStructured(findHeader(readHeaders(raw), 'content-type')?.value ?? '');
  const isComplaint =
    type.value === 'multipart/report' && type.params.get('report-type')?.toLowerCase() === 'feedback-report';
  return isComplaint || REPORT_TYPES.test(type.value);
}

export type OfferedMail = {
  readonly raw: Uint8Array;
  /** The domain that authenticates it, or null. */
  readonly provedDomain: string | null;
  /** The organizational domain of that domain. */
  readonly provedOrganization: string | null;
  /** The sending network; null for one that is not counted. */
  readonly network: string | null;
};

type Reporter = { readonly domain: string; readonly organization: string };

export type ReportReceiver = {
  /** Queues a message that looks like an authenticated report; false when too many are waiting. */
  readonly offer: (mail: OfferedMail) => boolean;
  /** Resolves when the queue is empty. */
  readonly whenIdle: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Bounds the queue: messages and bytes overall, and messages of each network. */
function createCapacity() {
  let bytes = 0;
  let messages = 0;
  const byNetwork = new Map<string | null, number>();
  return {
    /** Takes room for a message; false when there is none. */
    take: (sizeBytes: number, network: string | null): boolean => {
      const ofNetwork = (byNetwork.get(network) ?? 0) + 1;
      if (network !== null && ofNetwork > REPORTS_WAITING_PER_NETWORK_MAX) return false;
      if (messages >= REPORTS_WAITING_MAX || bytes + sizeBytes > REPORTS_WAITING_MAX_BYTES) return false;
      byNetwork.set(network, ofNetwork);
      messages += 1;
      bytes += sizeBytes;
      return true;
    },
    release: (sizeBytes: number, network: string | null): void => {
      const left = (byNetwork.get(network) ?? 0) - 1;
      if (left > 0) byNetwork.set(network, left);
      else byNetwork.delete(network);
      messages -= 1;
      bytes -= sizeBytes;
    },
  };
}

const digestOf = ({ masterKey }: ReceiverDeps, organization: string): Buffer =>
  masterKey.digest('reporter', organization);

const findOwnDomain = ({ config }: ReceiverDeps, name: string): string | undefined =>
  config.domains.find(domain => name === domain || name.endsWith(`.${domain}`));

/** Whether a report's day is recent, and not too far in the future. */
function isTimely({ clock }: ReceiverDeps, day: string): boolean {
  const aheadMs = Date.parse(day) - clock.now().getTime();
  return aheadMs <= REPORTED_AHEAD_MAX_MS && aheadMs >= -REPORTED_BACK_MAX_MS;
}

async function keepAggregate(
  deps: ReceiverDeps,
  { kind, id, domain, day, good, bad }: Aggregate,
  { domain: provedDomain, organization }: Reporter,
): Promise<void> {
  const own = findOwnDomain(deps, domain);
  if (own === undefined || !isTimely(deps, day)) {
    received.inc({ outcome: own === undefined ? 'foreign' : 'untimely' });
    return;
  }
  const row = {
    digest: deps.masterKey.digest('received report', kind, provedDomain, id, domain),
    reporter: digestOf(deps, organization),
    kind,
    domain: own,
    day,
    good: Math.min(good, REPORTED_COUNT_MAX),
    bad: Math.min(bad, REPORTED_COUNT_MAX),
    received_at: deps.clock.now(),
  };
  const isKept = await insertReport(deps.db, row, DAILY);
  received.inc({ outcome: isKept ? kind : 'left_out' });
}

async function keepComplaint(deps: ReceiverDeps, feedbackId: string, organization: string): Promise<void> {
  const opened = openFeedbackId(deps, feedbackId);
  const now = deps.clock.now();
  if (opened === null || now.getTime() - opened.sentAt.getTime() > COMPLAINT_AGE_MAX_MS) {
    received.inc({ outcome: 'foreign' });
    return;
  }
  const { userId, audience, bytes } = opened;
  const digest = deps.masterKey.digest('complaint', bytes);
  const reporter = digestOf(deps, organization);
  const isKept = await insertComplaint(deps.db, userId, { digest, audience, reporter }, now);
  received.inc({ outcome: isKept ? 'complaint' : 'left_out' });
}

async function processReport(
  deps: ReceiverDeps,
  raw: Uint8Array,
  reporter: Reporter,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return;
  const { aggregates, complaint, isBroken } = await readReport(raw, signal);
  if (isBroken) received.inc({ outcome: 'broken' });
  if (complaint !== null) await keepComplaint(deps, complaint, reporter.organization);
  for (const aggregate of aggregates) await keepAggregate(deps, aggregate, reporter);
}

export function createReportReceiver(deps: ReceiverDeps): ReportReceiver {
  const capacity = createCapacity();
  const closing = new AbortController();
  let running: Promise<void> = Promise.resolve();
  return {
    offer: ({ raw, provedDomain, provedOrganization, network }) => {
      if (raw.length > REPORT_MAIL_MAX_BYTES || !isWorthReading(raw)) return true;
      if (provedDomain === null || provedOrganization === null) {
        received.inc({ outcome: 'unproved' });
        return true;
      }
      if (!capacity.take(raw.length, network)) return false;
      const reporter = { domain: provedDomain, organization: provedOrganization };
      running = running
        .then(() => processReport(deps, raw, reporter, closing.signal))
        .catch(error => deps.logger.warn({ err: error }, 'could not store a received report'))
        .finally(() => capacity.release(raw.length, network));
      return true;
    },
    whenIdle: () => running,
    close: async () => {
      closing.abort();
      await running;
    },
  };
}
