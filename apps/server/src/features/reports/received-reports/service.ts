/**
 * Reports that other servers send about us: on mail in the name of our domains (DMARC), on TLS on the way here, and complaints
 * of readers about mail of our users. Kept are numbers by domain and day, and that a user's mail was complained of.
 *
 * [Note: Marks of mail] Mail to the outside bears a mark that only this server can open: who sent it, when, and a digest of the
 * domains that it went to. A complaint that has the mark is one of somebody who has the mail; it counts once for each mail, however
 * the mark is spelled. The mark is another one each time, and tells nobody else anything.
 *
 * [Note: Proved reports] Nothing is read that no domain stands by: it would cost a thread and prove nothing. What a report is known
 * again by goes by that domain and not by the name that stands in the report, and how many are kept by the organisation whose
 * domain it is: subdomains cost nothing.
 */
import { domainOf } from '@keyfold/mail/address-form';
import { findHeader, readHeaders } from '@keyfold/mail/mime/headers';
import { parseStructured } from '@keyfold/mail/mime/parameters';
import {
  COMPLAINT_AGE_MAX_MS,
  RECEIVED_REPORTS_KEPT_MS,
  RECEIVED_REPORTS_PER_DAY_MAX,
  RECEIVED_REPORTS_SHOWN_MS,
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
import type { Deps } from '../../../context/deps.ts';
import type { Aggregate } from './aggregate.ts';
import { readReport } from './reader.ts';
import {
  type Complaints,
  countUserComplaints,
  deleteReportsBefore,
  insertComplaint,
  insertReport,
  sumComplaints,
  sumReports,
} from './store.ts';

type ReceiverDeps = Pick<Deps, 'clock' | 'config' | 'db' | 'logger' | 'masterKey'>;

const MARK = 'feedback id';
const UUID_BYTES = 16;
const SECONDS_BYTES = 6;
const AUDIENCE_BYTES = 8;
const DAILY = { ofOneMax: REPORTS_OF_ONE_PER_DAY_MAX, max: RECEIVED_REPORTS_PER_DAY_MAX } as const;

const received = counter('keyfold_received_reports_total', 'Reports of other servers about this one', [
  'outcome',
]);

/** The mark of a mail that a user sends to addresses, for CFBL-Feedback-ID. */
export function makeFeedbackId(
  { masterKey }: Pick<Deps, 'masterKey'>,
  userId: string,
  sentAt: Date,
  recipients: readonly string[],
): string {
  const domains = [...new Set(recipients.map(address => domainOf(address)))].sort();
  const plain = Buffer.alloc(UUID_BYTES + SECONDS_BYTES + AUDIENCE_BYTES);
  masterKey.digest('feedback audience', userId, ...domains).copy(plain, UUID_BYTES + SECONDS_BYTES);
  plain.write(userId.replaceAll('-', ''), 'hex');
  plain.writeUIntBE(Math.floor(sentAt.getTime() / 1000), UUID_BYTES, SECONDS_BYTES);
  return masterKey.seal(MARK, '', plain).toString('base64url');
}

type FeedbackMark = {
  readonly userId: string;
  readonly sentAt: Date;
  /** What the mark is made of, and is known again by. */
  readonly bytes: Buffer;
  /** Null in marks from before it was told. */
  readonly audience: Buffer | null;
};

function openFeedbackId({ masterKey }: Pick<Deps, 'masterKey'>, mark: string): FeedbackMark | null {
  try {
    const bytes = Buffer.from(mark, 'base64url');
    // The last letter has bits that say nothing: other spellings of a mark are none.
    if (bytes.toString('base64url') !== mark) return null;
    const plain = masterKey.open(MARK, '', bytes);
    const hex = plain.toString('hex', 0, UUID_BYTES);
    const userId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    const sentAt = new Date(plain.readUIntBE(UUID_BYTES, SECONDS_BYTES) * 1000);
    const audience = plain.subarray(UUID_BYTES + SECONDS_BYTES);
    return { userId, sentAt, bytes, audience: audience.length === 0 ? null : audience };
  } catch {
    return null;
  }
}

/** How many mails of a user were complained of since a time: for the limits on sending. */
export const countComplaints = ({ db }: Pick<Deps, 'db'>, userId: string, since: Date): Promise<Complaints> =>
  countUserComplaints(db, userId, since);

const REPORT_TYPES =
  /^(?:multipart\/(?:report|mixed)|application\/(?:(?:x-)?gzip|zip|x-zip-compressed|xml|octet-stream)|text\/xml)$/;

/** Whether a mail may say what is kept: a thread for each that comes to `abuse@` would be too much. */
function isWorthReading(raw: Uint8Array): boolean {
  const type = parseStructured(findHeader(readHeaders(raw), 'content-type')?.value ?? '');
  const isComplaint =
    type.value === 'multipart/report' && type.params.get('report-type')?.toLowerCase() === 'feedback-report';
  return isComplaint || REPORT_TYPES.test(type.value);
}

export type OfferedMail = {
  readonly raw: Uint8Array;
  /** The domain that stands by it; null when none does. */
  readonly provedDomain: string | null;
  /** The organisation whose domain that is, by its organisational domain. */
  readonly provedOrganization: string | null;
  /** The network that brings it; null for one that is not counted. */
  readonly network: string | null;
};

type Reporter = { readonly domain: string; readonly organization: string };

export type ReportReceiver = {
  /** Takes a mail that may hold a report, if it looks like one and is proved, to read it later; false when too many wait. */
  readonly offer: (mail: OfferedMail) => boolean;
  /** Resolves when nothing waits. */
  readonly whenIdle: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export function createReportReceiver(deps: ReceiverDeps): ReportReceiver {
  const { clock, config, db, logger, masterKey } = deps;
  let waitingBytes = 0;
  let waitingMails = 0;
  const waitingByNetwork = new Map<string | null, number>();
  const closing = new AbortController();
  let running: Promise<void> = Promise.resolve();

  const digestOf = (organization: string): Buffer => masterKey.digest('reporter', organization);

  const ownDomain = (name: string): string | undefined =>
    config.domains.find(domain => name === domain || name.endsWith(`.${domain}`));

  /** Whether a report is of a day that one may be of. */
  const isTimely = (day: string): boolean => {
    const aheadMs = Date.parse(day) - clock.now().getTime();
    return aheadMs <= REPORTED_AHEAD_MAX_MS && aheadMs >= -REPORTED_BACK_MAX_MS;
  };

  const keepAggregate = async (
    { kind, id, domain, day, good, bad }: Aggregate,
    { domain: provedDomain, organization }: Reporter,
  ): Promise<void> => {
    const own = ownDomain(domain);
    if (own === undefined || !isTimely(day)) {
      received.inc({ outcome: own === undefined ? 'foreign' : 'untimely' });
      return;
    }
    const row = {
      digest: masterKey.digest('received report', kind, provedDomain, id, domain),
      reporter: digestOf(organization),
      kind,
      domain: own,
      day,
      good: Math.min(good, REPORTED_COUNT_MAX),
      bad: Math.min(bad, REPORTED_COUNT_MAX),
      received_at: clock.now(),
    };
    const isKept = await insertReport(db, row, DAILY);
    received.inc({ outcome: isKept ? kind : 'left_out' });
  };

  const keepComplaint = async (mark: string, { organization }: Reporter): Promise<void> => {
    const opened = openFeedbackId(deps, mark);
    const now = clock.now();
    if (opened === null || now.getTime() - opened.sentAt.getTime() > COMPLAINT_AGE_MAX_MS) {
      received.inc({ outcome: 'foreign' });
      return;
    }
    const { userId, audience, bytes } = opened;
    const digest = masterKey.digest('complaint', bytes);
    const isKept = await insertComplaint(
      db,
      userId,
      { digest, audience, reporter: digestOf(organization) },
      now,
    );
    received.inc({ outcome: isKept ? 'complaint' : 'left_out' });
  };

  const work = async (raw: Uint8Array, reporter: Reporter): Promise<void> => {
    if (closing.signal.aborted) return;
    const { aggregates, complaint, isBroken } = await readReport(raw, closing.signal);
    if (isBroken) received.inc({ outcome: 'broken' });
    if (complaint !== null) await keepComplaint(complaint, reporter);
    for (const one of aggregates) await keepAggregate(one, reporter);
  };

  /** Counts a mail that waits; false when there are too many, of all or of a network. */
  const takePlace = (sizeBytes: number, network: string | null): boolean => {
    const own = (waitingByNetwork.get(network) ?? 0) + 1;
    if (network !== null && own > REPORTS_WAITING_PER_NETWORK_MAX) return false;
    if (waitingMails >= REPORTS_WAITING_MAX || waitingBytes + sizeBytes > REPORTS_WAITING_MAX_BYTES)
      return false;
    waitingByNetwork.set(network, own);
    waitingMails += 1;
    waitingBytes += sizeBytes;
    return true;
  };
  const leavePlace = (sizeBytes: number, network: string | null): void => {
    const left = (waitingByNetwork.get(network) ?? 0) - 1;
    if (left > 0) waitingByNetwork.set(network, left);
    else waitingByNetwork.delete(network);
    waitingMails -= 1;
    waitingBytes -= sizeBytes;
  };

  return {
    offer: ({ raw, provedDomain, provedOrganization, network }) => {
      if (raw.length > REPORT_MAIL_MAX_BYTES || !isWorthReading(raw)) return true;
      if (provedDomain === null || provedOrganization === null) {
        received.inc({ outcome: 'unproved' });
        return true;
      }
      if (!takePlace(raw.length, network)) return false;
      running = running
        .then(() => work(raw, { domain: provedDomain, organization: provedOrganization }))
        .catch(error => logger.warn({ err: error }, 'a received report could not be kept'))
        .finally(() => leavePlace(raw.length, network));
      return true;
    },
    whenIdle: () => running,
    close: async () => {
      closing.abort();
      await running;
    },
  };
}

/** What the reports and complaints of the last weeks come to. */
export async function viewReceivedReports({ clock, db }: Pick<Deps, 'clock' | 'db'>) {
  const since = new Date(clock.now().getTime() - RECEIVED_REPORTS_SHOWN_MS);
  return { domains: await sumReports(db, since), complaints: await sumComplaints(db, since) };
}

/** Forgets what is too old; returns how many rows. */
export const forgetReceivedReports = ({ clock, db }: Pick<Deps, 'clock' | 'db'>): Promise<number> =>
  deleteReportsBefore(db, new Date(clock.now().getTime() - RECEIVED_REPORTS_KEPT_MS));
