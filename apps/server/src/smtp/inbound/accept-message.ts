/**
 * Accepts the message of a transaction (DATA and BDAT): receive, authenticate, store, forward, read
 * as a report. Resolves only once the message is committed, so a positive reply never precedes
 * that.
 */
import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import { networkOf } from '../../adapters/network.ts';
import type { Deps } from '../../context/deps.ts';
import type { Owner } from '../../features/accounts/users/index.ts';
import type { Filed, Ingest } from '../../features/inbound/ingest/index.ts';
import type { DmarcLedger } from '../../features/reports/dmarc-reports/index.ts';
import type { ReportReceiver } from '../../features/reports/received-reports/index.ts';
import { organizationOf } from '../auth/alignment.ts';
import { type Authentication, authenticateMessage } from '../auth/authenticate.ts';
import { findHostName } from '../auth/host-name.ts';
import { isCounted } from './bdat-transfer.ts';
import type { ByteBudget } from './byte-budget.ts';
import type { ConnectionGate } from './connection-gate.ts';
import type { Arrived, Forwards } from './forwards.ts';
import { receiveMessage } from './receive.ts';
import type { Recipients } from './recipients.ts';
import { refusal } from './replies.ts';
import type { Trace } from './trace.ts';

export type Acceptance = {
  readonly config: Deps['config'];
  readonly clock: Deps['clock'];
  readonly dns: Parameters<typeof authenticateMessage>[0];
  readonly gate: Pick<ConnectionGate, 'progress'>;
  readonly budget: ByteBudget;
  readonly ingest: Ingest;
  /** Counts messages for the DMARC reports that authors' domains request. */
  readonly dmarc: Pick<DmarcLedger, 'count'>;
  /** Reads reports of other servers about this one. */
  readonly reports: Pick<ReportReceiver, 'offer'>;
  readonly recipients: Recipients;
  readonly forwards: Forwards;
  readonly isGateway: (ip: string) => boolean;
  readonly trace: Trace;
};

/**
 * One attempt to accept a message. `verdicts` is set once they are known, for the log line of a
 * refusal.
 */
export type Attempt = {
  readonly id: string;
  readonly startedAtMs: number;
  verdicts: Authentication | undefined;
};

async function authenticate(
  { clock, config, dns }: Acceptance,
  { envelope, hostNameAppearsAs, remoteAddress }: SMTPServerSession,
  raw: Buffer,
): Promise<Arrived> {
  const receivedAt = clock.now();
  const message = {
    raw,
    clientIp: remoteAddress,
    helo: hostNameAppearsAs || '',
    envelopeFrom: envelope.mailFrom ? envelope.mailFrom.address : '',
  };
  return { ...message, receivedAt, verdicts: await authenticateMessage(dns, config.hostname, message) };
}

/** Stores a copy for each recipient with a mailbox. */
async function store(
  { dns, forwards, ingest }: Acceptance,
  { envelope }: SMTPServerSession,
  arrived: Arrived,
  recipients: readonly Owner[],
): Promise<Filed> {
  if (recipients.length === 0) return { folders: [], points: null };
  const { verdicts, clientIp } = arrived;
  const filed = await ingest.take({
    ...arrived,
    findHostName: () => findHostName(dns, clientIp),
    recipients,
    authenticationResults: verdicts.results,
    oneClick: verdicts.oneClick,
    ...forwards.onwardOf(envelope, arrived),
  });
  forwards.wake(envelope);
  return filed;
}

/** Reads a message as a report; false when too many are waiting. */
function offerReport(
  { isGateway, reports }: Acceptance,
  { remoteAddress }: SMTPServerSession,
  { raw, verdicts: { provedDomain } }: Arrived,
): boolean {
  const network = isGateway(remoteAddress) ? null : networkOf(remoteAddress);
  const provedOrganization = provedDomain === null ? null : organizationOf(provedDomain);
  return reports.offer({ raw, network, provedDomain, provedOrganization });
}

/** Throws SmtpRefusal, or the failure of what stores it. */
export async function acceptMessage(
  acceptance: Acceptance,
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
  attempt: Attempt,
): Promise<void> {
  const { budget, config, dmarc, forwards, gate, recipients, trace } = acceptance;
  const { envelope } = session;
  const { raw, holdMore, release } = await receiveMessage(stream, {
    budget,
    onProgress: () => gate.progress(session.id),
    isCounted: isCounted(stream),
  });
  try {
    // Checked before anything is stored: a refusal after that would make the sender deliver a
    // second copy.
    if (!holdMore(forwards.bytesFor(envelope, raw.length))) throw refusal('noSpace');
    const arrived = await authenticate(acceptance, session, raw);
    const { verdicts } = arrived;
    attempt.verdicts = verdicts;
    const owners = recipients.ownersOf(envelope);
    const filed = await store(acceptance, session, arrived, owners);
    await forwards.sendBack(envelope, arrived);
    if (recipients.mayGetReport(envelope)) {
      // A refusal would make the sender deliver a second copy to users who already have the
      // message.
      if (!offerReport(acceptance, session, arrived) && owners.length === 0) throw refusal('noSpace');
      await forwards.sendOn(envelope, arrived);
    }
    if (verdicts.report !== null && config.isDmarcReported) dmarc.count(verdicts.report);
    trace.accepted(session, {
      ...attempt,
      verdicts,
      filed,
      queue: forwards.queueOf(envelope),
      sizeBytes: raw.length,
    });
  } finally {
    release();
  }
}
