/**
 * The callbacks of smtp-server for each step of a session. Protocol only: they turn decisions into
 * replies, progress of the connection and log lines.
 */
import type { SMTPServerOptions, SMTPServerSession } from 'smtp-server';
import { createDiskRoom } from '../../adapters/disk-room.ts';
import { counter } from '../../base/metrics.ts';
import { createNetworkTest } from '../../config/networks.ts';
import type { Deps } from '../../context/deps.ts';
import { kindOfFailure } from '../../features/inbound/ingest/index.ts';
import { createDnsCache } from '../auth/dns-cache.ts';
import { type Acceptance, type Attempt, acceptMessage } from './accept-message.ts';
import { createArrivalLimits } from './arrival-limits.ts';
import type { ConnectionGate } from './connection-gate.ts';
import { createForwards } from './forwards.ts';
import { createRecipients } from './recipients.ts';
import { type Refusal, refusal, SmtpRefusal } from './replies.ts';
import { createTrace, createTraceId, PERMANENT, refusalOf } from './trace.ts';

export type Parts = Pick<Acceptance, 'budget' | 'dmarc' | 'ingest' | 'reports'> & {
  readonly gate: ConnectionGate;
  /** Counts a message that is being received or stored; the returned function ends that. */
  readonly begin: () => () => void;
};

const arrivals = counter('keyfold_inbound_messages_total', 'Messages received by SMTP, by response', [
  'outcome',
]);

type Handlers = Required<
  Pick<SMTPServerOptions, 'onConnect' | 'onMailFrom' | 'onRcptTo' | 'onData' | 'onSecure' | 'onClose'>
>;

function toRefusal({ logger }: Pick<Deps, 'logger'>, error: unknown): SmtpRefusal {
  if (error instanceof SmtpRefusal) return error;
  const kind = kindOfFailure(error);
  if (kind === 'mailbox_full') return refusal('mailboxFull');
  logger.warn({ err: error, kind }, 'could not store mail');
  return refusal(kind === 'no_space' ? 'noSpace' : 'tryLater');
}

export function createHandlers(deps: Deps, { begin, gate, ...parts }: Parts): Handlers {
  const limits = createArrivalLimits(deps);
  const disk = createDiskRoom(deps.config);
  const isGateway = createNetworkTest(deps.config.mailGateways);
  const forwards = createForwards(deps);
  const recipients = createRecipients(deps, { forwards, limits, isGateway });
  const trace = createTrace(deps.logger);
  const acceptance: Acceptance = {
    ...parts,
    gate,
    config: deps.config,
    clock: deps.clock,
    dns: createDnsCache(deps.dns),
    recipients,
    forwards,
    isGateway,
    trace,
  };

  /** Returns why a message may not begin now; null when it may. */
  const findObstacle = async ({ remoteAddress }: SMTPServerSession): Promise<Refusal | null> => {
    if (!parts.budget.hasRoom() || !(await disk.hasRoom())) return 'noSpace';
    return limits.mayBring(remoteAddress) ? null : 'tooMuch';
  };

  return {
    onConnect: (session, callback) => {
      const answer = gate.enter(session.id, session.remoteAddress) ? null : refusal('tooMany');
      if (answer !== null) trace.refused(session, 'connect', answer);
      callback(answer);
    },
    onSecure: (socket, session, callback) => {
      // smtp-server listens for only one error of a TLS socket; a second one without a listener
      // would end the process.
      socket.on('error', () => undefined);
      gate.progress(session.id);
      callback();
    },
    onMailFrom: (_address, session, callback) => {
      gate.progress(session.id);
      const refuse = (answer: SmtpRefusal): void => {
        trace.refused(session, 'mail', answer);
        callback(answer);
      };
      findObstacle(session).then(
        why => {
          const answer = refusalOf(why);
          if (answer === null) callback(null);
          else refuse(answer);
        },
        error => refuse(toRefusal(deps, error)),
      );
    },
    onRcptTo: ({ address }, session, callback) => {
      recipients.add(address, session).then(
        () => {
          gate.progress(session.id);
          callback();
        },
        error => {
          const answer = toRefusal(deps, error);
          trace.refused(session, 'rcpt', answer, { recipient: address });
          callback(answer);
        },
      );
    },
    onData: (stream, session, callback) => {
      const end = begin();
      const attempt: Attempt = { id: createTraceId(), startedAtMs: performance.now(), verdicts: undefined };
      acceptMessage(acceptance, stream, session, attempt)
        .then(
          () => {
            arrivals.inc({ outcome: 'stored' });
            callback(null, `2.6.0 Message stored as ${attempt.id}`);
          },
          error => {
            const answer = toRefusal(deps, error);
            trace.refused(session, 'data', answer, attempt);
            arrivals.inc({ outcome: answer.responseCode < PERMANENT ? 'put_off' : 'refused' });
            callback(answer);
          },
        )
        .finally(() => {
          gate.progress(session.id);
          end();
        });
    },
    onClose: session => gate.leave(session.id),
  };
}
