/**
 * Reports that other servers send about us: on mail in the name of our domains (DMARC), on TLS on the way here, and complaints
 * of readers about mail of our users. Kept are numbers by domain and day, and that a user's mail was complained of.
 *
 * [Note: Marks of mail] Mail to the outside bears a mark that only this server can open: who sent it, and when. A complaint that
 * has the mark is one of somebody who has the mail; it counts once for each mail. The mark is another one each time, and tells
 * nobody else anything.
 */
import { findHeader, readHeaders } from '@keyfold/mail/mime/headers';
import { parseStructured } from '@keyfold/mail/mime/parameters';
import type { Deps } from '../../deps.ts';
import {
  COMPLAINT_AGE_MAX_MS,
  RECEIVED_REPORTS_KEPT_MS,
  RECEIVED_REPORTS_PER_DAY_MAX,
  RECEIVED_REPORTS_SHOWN_MS,
  REPORT_MAIL_MAX_BYTES,
  REPORTS_WAITING_MAX_BYTES,
} from '../../limits.ts';
import { counter } from '../../metrics.ts';
import type { Aggregate } from './aggregate.ts';
import { readReport } from './reader.ts';
import {
  countUserComplaints,
  deleteReportsBefore,
  insertComplaint,
  insertReport,
  sumComplaints,
  sumReports,
} from './store.ts';

export { FEEDBACK_FIELD } from './feedback.ts';

type DeskDeps = Pick<Deps, 'clock' | 'config' | 'db' | 'logger' | 'masterKey'>;

const MARK = 'feedback id';
const UUID_BYTES = 16;
const SECONDS_BYTES = 6;

const received = counter('keyfold_received_reports_total', 'Reports of other servers about this one', [
  'outcome',
]);

/** The mark of a mail that a user sends, for CFBL-Feedback-ID. */
export const makeFeedbackId = (
  { masterKey }: Pick<Deps, 'masterKey'>,
  userId: string,
  sentAt: Date,
): string => {
  const plain = Buffer.alloc(UUID_BYTES + SECONDS_BYTES);
  plain.write(userId.replaceAll('-', ''), 'hex');
  plain.writeUIntBE(Math.floor(sentAt.getTime() / 1000), UUID_BYTES, SECONDS_BYTES);
  return masterKey.seal(MARK, '', plain).toString('base64url');
};

const openFeedbackId = (
  { masterKey }: Pick<Deps, 'masterKey'>,
  mark: string,
): { readonly userId: string; readonly sentAt: Date } | null => {
  try {
    const plain = masterKey.open(MARK, '', Buffer.from(mark, 'base64url'));
    const hex = plain.toString('hex', 0, UUID_BYTES);
    const userId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    return { userId, sentAt: new Date(plain.readUIntBE(UUID_BYTES, SECONDS_BYTES) * 1000) };
  } catch {
    return null;
  }
};

/** How many mails of a user were complained of since a time: for the limits on sending. */
export const countComplaints = ({ db }: Pick<Deps, 'db'>, userId: string, since: Date): Promise<number> =>
  countUserComplaints(db, userId, since);

const REPORT_TYPES =
  /^(?:multipart\/(?:report|mixed)|application\/(?:(?:x-)?gzip|zip|x-zip-compressed|xml|octet-stream)|text\/xml)$/;

/** Whether a mail may say what is kept: a thread for each that comes to `abuse@` would be too much. */
const isWorthReading = (raw: Uint8Array, isProved: boolean): boolean => {
  const type = parseStructured(findHeader(readHeaders(raw), 'content-type')?.value ?? '');
  const isComplaint =
    type.value === 'multipart/report' && type.params.get('report-type')?.toLowerCase() === 'feedback-report';
  return isComplaint || (isProved && REPORT_TYPES.test(type.value));
};

export type ReportDesk = {
  /**
   * Takes a mail that may hold a report, if it looks like one, to read it later; false when too many wait. `isProved`: its sender's domain stands
   * by it. Numbers of others are not kept; complaints prove themselves.
   */
  readonly offer: (mail: { readonly raw: Uint8Array; readonly isProved: boolean }) => boolean;
  /** Resolves when nothing waits. */
  readonly whenIdle: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export const createReportDesk = (deps: DeskDeps): ReportDesk => {
  const { clock, config, db, logger, masterKey } = deps;
  let waitingBytes = 0;
  const closing = new AbortController();
  let running: Promise<void> = Promise.resolve();

  const ownDomain = (name: string): string | undefined =>
    config.domains.find(domain => name === domain || name.endsWith(`.${domain}`));

  const keepAggregate = async ({ kind, reporter, id, domain, day, good, bad }: Aggregate): Promise<void> => {
    const own = ownDomain(domain);
    if (own === undefined) {
      received.inc({ outcome: 'foreign' });
      return;
    }
    const digest = masterKey.digest('received report', kind, reporter, id, domain);
    const row = { digest, kind, domain: own, day, good, bad, received_at: clock.now() };
    const isKept = await insertReport(db, row, RECEIVED_REPORTS_PER_DAY_MAX);
    received.inc({ outcome: isKept ? kind : 'left_out' });
  };

  const keepComplaint = async (mark: string): Promise<void> => {
    const opened = openFeedbackId(deps, mark);
    const now = clock.now();
    if (opened === null || now.getTime() - opened.sentAt.getTime() > COMPLAINT_AGE_MAX_MS) {
      received.inc({ outcome: 'foreign' });
      return;
    }
    const digest = masterKey.digest('complaint', mark);
    const isKept = await insertComplaint(db, opened.userId, digest, now);
    received.inc({ outcome: isKept ? 'complaint' : 'left_out' });
  };

  const work = async (raw: Uint8Array, isProved: boolean): Promise<void> => {
    if (closing.signal.aborted) return;
    const { aggregates, complaint, isBroken } = await readReport(raw, closing.signal);
    if (isBroken) received.inc({ outcome: 'broken' });
    if (complaint !== null) await keepComplaint(complaint);
    if (aggregates.length > 0 && !isProved) received.inc({ outcome: 'unproved' });
    else for (const one of aggregates) await keepAggregate(one);
  };

  return {
    offer: ({ raw, isProved }) => {
      if (raw.length > REPORT_MAIL_MAX_BYTES || !isWorthReading(raw, isProved)) return true;
      if (waitingBytes + raw.length > REPORTS_WAITING_MAX_BYTES) return false;
      waitingBytes += raw.length;
      running = running
        .then(() => work(raw, isProved))
        .catch(error => logger.warn({ err: error }, 'a received report could not be kept'))
        .finally(() => {
          waitingBytes -= raw.length;
        });
      return true;
    },
    whenIdle: () => running,
    close: async () => {
      closing.abort();
      await running;
    },
  };
};

/** What the reports and complaints of the last weeks come to. */
export const viewReceivedReports = async ({ clock, db }: Pick<Deps, 'clock' | 'db'>) => {
  const since = new Date(clock.now().getTime() - RECEIVED_REPORTS_SHOWN_MS);
  return { domains: await sumReports(db, since), complaints: await sumComplaints(db, since) };
};

/** Forgets what is too old; returns how many rows. */
export const forgetReceivedReports = ({ clock, db }: Pick<Deps, 'clock' | 'db'>): Promise<number> =>
  deleteReportsBefore(db, new Date(clock.now().getTime() - RECEIVED_REPORTS_KEPT_MS));
