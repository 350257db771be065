/**
 * What happens at each step of an SMTP session, told to smtp-server as callbacks: who may connect, which recipients are
 * taken, and when a message counts as accepted, which is after it was committed and never before. Protocol only; every
 * decision is asked of features/inbound/ingest.
 */
import { domainOf } from '@keyfold/mail/address-form';
import type { SMTPServerEnvelope, SMTPServerOptions, SMTPServerSession } from 'smtp-server';
import { createDiskRoom } from '../../adapters/disk-room.ts';
import { networkOf } from '../../adapters/network.ts';
import { counter } from '../../base/metrics.ts';
import { createNetworkTest } from '../../config/networks.ts';
import type { Deps } from '../../context/deps.ts';
import type { Owner } from '../../features/accounts/users/index.ts';
import {
  createGreylist,
  createRecipientResolver,
  type Filed,
  type Ingest,
  kindOfFailure,
  type RecipientDecision,
} from '../../features/inbound/ingest/index.ts';
import type { DmarcLedger } from '../../features/reports/dmarc-reports/index.ts';
import type { ReportReceiver } from '../../features/reports/received-reports/index.ts';
import { organizationOf } from '../auth/alignment.ts';
import { type Authentication, authenticateMessage } from '../auth/authenticate.ts';
import { createDnsCache } from '../auth/dns-cache.ts';
import { findHostName } from '../auth/host-name.ts';
import { createArrivalLimits } from './arrival-limits.ts';
import type { ByteBudget } from './byte-budget.ts';
import { isCounted } from './chunking.ts';
import type { ConnectionGate } from './connection-gate.ts';
import { createForwards } from './forwards.ts';
import { REFUSED_FORGIVEN_MAX, REFUSED_RECIPIENTS_MAX } from './limits.ts';
import { receiveMessage } from './receive.ts';
import { type Refusal, refusal, SmtpRefusal } from './replies.ts';
import { createReportAddresses } from './report-addresses.ts';
import { createTrace, createTraceId, PERMANENT, refusalOf } from './trace.ts';

export type Parts = {
  readonly gate: ConnectionGate;
  readonly budget: ByteBudget;
  readonly ingest: Ingest;
  /** Counts messages for the reports that their authors' domains ask for. */
  readonly dmarc: Pick<DmarcLedger, 'count'>;
  /** Reads what others report about us. */
  readonly reports: Pick<ReportReceiver, 'offer'>;
  /** Counts a message that is being received or stored; the function it returns ends that. */
  readonly begin: () => () => void;
};

const REFUSED: Record<Exclude<RecipientDecision['kind'], 'accepted'>, Refusal> = {
  foreign: 'relay',
  unknown: 'unknownUser',
  full: 'mailboxFull',
  suspended: 'mailboxOff',
};

/**
 * What guessing is answered with, by the refused recipients of a session; null when it is none. Where many send through one
 * network a stranger can use its share up: a session that is good itself is not ended for it.
 */
function answerToUnknown(refusedCount: number, isNetworkGood: boolean): Refusal | null {
  if (refusedCount > (isNetworkGood ? REFUSED_RECIPIENTS_MAX : REFUSED_FORGIVEN_MAX)) return 'tooManyRefused';
  return isNetworkGood ? null : 'tooManyOfNetwork';
}

const arrivals = counter(
  'keyfold_inbound_messages_total',
  'Messages that came in by SMTP, by how they were answered',
  ['outcome'],
);

type Handlers = Required<
  Pick<SMTPServerOptions, 'onConnect' | 'onMailFrom' | 'onRcptTo' | 'onData' | 'onSecure' | 'onClose'>
>;

export function createHandlers(deps: Deps, parts: Parts): Handlers {
  const dns = createDnsCache(deps.dns);
  const decideRecipient = createRecipientResolver(deps);
  const limits = createArrivalLimits(deps);
  const disk = createDiskRoom(deps.config);
  const greylist = deps.config.isGreylistOn ? createGreylist(deps) : null;
  const isGateway = createNetworkTest(deps.config.mailGateways);
  // smtp-server makes a new envelope for every transaction, so what is kept by envelope ends with it.
  const owners = new WeakMap<SMTPServerEnvelope, Map<string, Owner>>();
  /** Transactions with a recipient whose mail may be a report. */
  const reported = new WeakSet<SMTPServerEnvelope>();
  const findUse = createReportAddresses(deps.config);
  const forwards = createForwards(deps);
  const trace = createTrace(deps.logger);
  const refusedCounts = new WeakMap<SMTPServerSession, number>();

  const ownersOf = ({ envelope }: SMTPServerSession): Map<string, Owner> => {
    const known = owners.get(envelope) ?? new Map<string, Owner>();
    owners.set(envelope, known);
    return known;
  };

  const answerOf = (error: unknown): SmtpRefusal => {
    if (error instanceof SmtpRefusal) return error;
    const kind = kindOfFailure(error);
    if (kind === 'mailbox_full') return refusal('mailboxFull');
    deps.logger.warn({ err: error, kind }, 'mail could not be stored');
    return refusal(kind === 'no_space' ? 'noSpace' : 'tryLater');
  };

  /** Why a message may not begin now; null when it may. */
  const mayBegin = async ({ remoteAddress }: SMTPServerSession): Promise<Refusal | null> => {
    if (!parts.budget.hasRoom() || !(await disk.hasRoom())) return 'noSpace';
    return limits.mayBring(remoteAddress) ? null : 'tooMuch';
  };

  const isWelcome = async (
    { userId }: Owner,
    { envelope, remoteAddress }: SMTPServerSession,
  ): Promise<boolean> => {
    if (greylist === null || isGateway(remoteAddress)) return true;
    const sender = envelope.mailFrom ? envelope.mailFrom.address : '';
    return greylist.isWelcome({
      network: networkOf(remoteAddress),
      senderDomain: domainOf(sender).toLowerCase(),
      ownerId: userId,
    });
  };

  const refuseRecipient = (session: SMTPServerSession, why: Refusal): SmtpRefusal => {
    const refusedCount = (refusedCounts.get(session) ?? 0) + 1;
    refusedCounts.set(session, refusedCount);
    return refusal(answerToUnknown(refusedCount, limits.mayErr(session.remoteAddress)) ?? why);
  };

  const addRecipient = async (address: string, session: SMTPServerSession): Promise<void> => {
    const bounce = await forwards.takeReturn(address, session.envelope);
    if (bounce === 'taken') return;
    if (bounce === 'guess') throw refuseRecipient(session, 'relay');
    const { args } = session.envelope.mailFrom || { args: false as const };
    const announced = args ? Number(args.SIZE ?? 0) : 0;
    const decision = await decideRecipient(address, announced);
    if (decision.kind === 'accepted') {
      if (!(await isWelcome(decision.owner, session))) throw refusal('greylisted');
      ownersOf(session).set(address.toLowerCase(), decision.owner);
      if (findUse(address) !== null) reported.add(session.envelope);
      if (decision.isStandIn) forwards.note(address, session.envelope, decision.owner.userId);
      return;
    }
    if (decision.kind === 'unknown' && findUse(address) === 'reports') {
      reported.add(session.envelope);
      forwards.note(address, session.envelope, null);
      return;
    }
    throw refuseRecipient(session, REFUSED[decision.kind]);
  };

  const acceptMessage = async (
    stream: Parameters<Handlers['onData']>[0],
    session: SMTPServerSession,
    {
      id,
      startedAtMs,
      judged,
    }: { id: string; startedAtMs: number; judged: (verdicts: Authentication) => void },
  ): Promise<void> => {
    const { raw, holdMore, release } = await receiveMessage(stream, {
      budget: parts.budget,
      onProgress: () => parts.gate.progress(session.id),
      isCounted: isCounted(stream),
    });
    try {
      // Before anything is stored: copy and forward are taken in together, or the sender comes back with both.
      if (!holdMore(forwards.bytesFor(session.envelope, raw.length))) throw refusal('noSpace');
      const receivedAt = deps.clock.now();
      const envelopeFrom = session.envelope.mailFrom ? session.envelope.mailFrom.address : '';
      const arrival = {
        raw,
        clientIp: session.remoteAddress,
        helo: session.hostNameAppearsAs || '',
        envelopeFrom,
      };
      const verdicts = await authenticateMessage(dns, deps.config.hostname, arrival);
      judged(verdicts);
      const recipients = [...ownersOf(session).values()];
      let filed: Filed = { folders: [], points: null };
      const { envelope } = session;
      const arrived = { ...arrival, verdicts, receivedAt };
      if (recipients.length > 0) {
        filed = await parts.ingest.take({
          ...arrival,
          findHostName: () => findHostName(dns, arrival.clientIp),
          recipients,
          authenticationResults: verdicts.results,
          oneClick: verdicts.oneClick,
          verdicts,
          receivedAt,
          ...forwards.onwardOf(envelope, arrived),
        });
        forwards.wake(envelope);
      }
      await forwards.sendBack(envelope, arrived);
      if (reported.has(session.envelope)) {
        const { remoteAddress } = session;
        const network = isGateway(remoteAddress) ? null : networkOf(remoteAddress);
        const { provedDomain } = verdicts;
        const provedOrganization = provedDomain === null ? null : organizationOf(provedDomain);
        const isTaken = parts.reports.offer({ raw, network, provedDomain, provedOrganization });
        // Who has a mailbox has the mail by now: it must not come again.
        if (!isTaken && recipients.length === 0) throw refusal('noSpace');
        await forwards.sendOn(envelope, arrived);
      }
      if (verdicts.report !== null && deps.config.isDmarcReported) parts.dmarc.count(verdicts.report);
      trace.accepted(session, {
        id,
        verdicts,
        filed,
        queue: forwards.queueOf(envelope),
        sizeBytes: raw.length,
        startedAtMs,
      });
    } finally {
      release();
    }
  };

  return {
    onConnect: (session, callback) => {
      const answer = parts.gate.enter(session.id, session.remoteAddress) ? null : refusal('tooMany');
      if (answer !== null) trace.refused(session, 'connect', answer);
      callback(answer);
    },
    onSecure: (socket, session, callback) => {
      // smtp-server listens for one error of a TLS socket; a second one without a listener would end the process.
      socket.on('error', () => undefined);
      parts.gate.progress(session.id);
      callback();
    },
    onMailFrom: (_address, session, callback) => {
      parts.gate.progress(session.id);
      const refuse = (answer: SmtpRefusal): void => {
        trace.refused(session, 'mail', answer);
        callback(answer);
      };
      mayBegin(session).then(
        why => {
          const answer = refusalOf(why);
          if (answer === null) callback(null);
          else refuse(answer);
        },
        error => refuse(answerOf(error)),
      );
    },
    onRcptTo: ({ address }, session, callback) => {
      addRecipient(address, session).then(
        () => {
          parts.gate.progress(session.id);
          callback();
        },
        error => {
          const answer = answerOf(error);
          trace.refused(session, 'rcpt', answer, { recipient: address });
          callback(answer);
        },
      );
    },
    onData: (stream, session, callback) => {
      const end = parts.begin();
      const id = createTraceId();
      const startedAtMs = performance.now();
      let verdicts: Authentication | undefined;
      const judged = (found: Authentication): void => {
        verdicts = found;
      };
      acceptMessage(stream, session, { id, startedAtMs, judged })
        .then(
          () => {
            arrivals.inc({ outcome: 'stored' });
            callback(null, `2.6.0 Message stored as ${id}`);
          },
          error => {
            const answer = answerOf(error);
            trace.refused(session, 'data', answer, { id, startedAtMs, verdicts });
            arrivals.inc({ outcome: answer.responseCode < PERMANENT ? 'put_off' : 'refused' });
            callback(answer);
          },
        )
        .finally(() => {
          parts.gate.progress(session.id);
          end();
        });
    },
    onClose: session => parts.gate.leave(session.id),
  };
}
