/**
 * Delivers messages by SMTP: directly to the mail servers of a domain, or through the relay.
 * STARTTLS is used whenever it is offered, and no mail then goes out unencrypted. If a domain
 * requires more, the mail waits until the requirements are met.
 */
import type { TLSSocket } from 'node:tls';
import { untilAborted } from '../../base/until-aborted.ts';
import type { Deps } from '../../context/deps.ts';
import type {
  Outcome,
  TlsPolicyName,
  Transmission,
  Transport,
} from '../../features/outbound/delivery/index.ts';
import type { MtaStsResolver } from '../../features/reports/tls-policy/index.ts';
import { isInternational, isLack } from './extensions.ts';
import { createMxConnector } from './mx.ts';
import { outcomesOfAnswer, outcomesOfFailure, toOutcome } from './outcome.ts';
import { connectRelay, parseRelay } from './relay.ts';
import { POLICY_CODE, runSession, SessionError, type SessionOptions } from './session.ts';
import { signMessage } from './sign.ts';
import { judgeTls, mustUseTls, NO_DEMAND } from './tls-demand.ts';
import { type NoteTls, resultsOf } from './tls-notes.ts';
import { UnreachableError } from './unreachable.ts';

/** Maximum number of hosts of one domain tried per attempt when their sessions do not open. */
const HOSTS_MAX = 3;

type Target = {
  readonly session: SessionOptions;
  readonly remoteHost: string;
  readonly address: string;
  /** Called when the server requires TLS but the session did not reach it. */
  readonly onTlsFailure?: () => void;
  /** Policy whose TLS requirements the session did not meet, or null. */
  readonly unmetPolicy?: () => TlsPolicyName | null;
};
type Connect = (domain: string, passedOver: readonly string[], signal: AbortSignal) => Promise<Target>;

function directly(
  deps: Pick<Deps, 'clock' | 'config' | 'dns'>,
  policies: MtaStsResolver,
  note: NoteTls,
): Connect {
  const connect = createMxConnector(deps, policies, note);
  return async (domain, passedOver, signal) => {
    const { socket, hostname, host, demand, sts } = await connect(domain, passedOver, signal);
    const ownAddress = socket.localAddress;
    let unmet: TlsPolicyName | null = null;
    const judge = (secured: TLSSocket | null): boolean => {
      const verdict = judgeTls(demand, secured, deps.clock.now());
      if (!verdict.isMet) unmet = verdict.tlsa === null ? 'mta-sts' : 'dane';
      const met = { domain, hostname, host, ownAddress, sts, tlsa: demand.tlsa };
      for (const result of resultsOf(met, verdict, secured)) note(result);
      return verdict.isMet;
    };
    return {
      session: {
        socket,
        host: hostname,
        ownName: deps.config.hostname,
        isSecure: false,
        mustUseTls: mustUseTls(demand),
        isGoodEnough: judge,
        login: null,
      },
      remoteHost: hostname,
      address: host,
      onTlsFailure: () => void judge(null),
      unmetPolicy: () => unmet,
    };
  };
}

function throughRelay({ clock, config }: Pick<Deps, 'clock' | 'config'>, url: string): Connect {
  const relay = parseRelay(url);
  const mustProtect = relay.login !== null && !relay.isOwnMachine;
  const demand = mustProtect ? ({ ...NO_DEMAND, authorities: 'must' } as const) : NO_DEMAND;
  return async (_domain, _passedOver, signal) => ({
    session: {
      socket: await untilAborted(connectRelay(relay), signal, late => late.destroy()),
      host: relay.host,
      ownName: config.hostname,
      isSecure: relay.isSecure,
      mustUseTls: mustProtect,
      isGoodEnough: socket => judgeTls(demand, socket, clock.now()).isMet,
      login: relay.login,
    },
    remoteHost: relay.host,
    address: relay.host,
  });
}

const unreachable = (error: UnreachableError): Outcome => ({
  kind: error.isPermanent ? 'failed' : 'deferred',
  status: error.status,
  text: error.message,
  isUnmet: true,
  ...(error.tlsPolicy === undefined ? {} : { tlsPolicy: error.tlsPolicy }),
});

async function sendTo(
  target: Target,
  job: Transmission,
  parts: readonly Buffer[],
  signal: AbortSignal,
): Promise<Outcome[]> {
  const { sender, recipients, isStillOurs } = job;
  const mail = { sender, recipients, parts, ...(isStillOurs === undefined ? {} : { isStillOurs }) };
  try {
    const info = await runSession(target.session, mail, signal);
    return outcomesOfAnswer(info, recipients, target.remoteHost);
  } catch (error) {
    if (!(error instanceof SessionError) || error.stage === 'opening') throw error;
    return outcomesOfFailure(error.smtp, recipients, target.remoteHost);
  }
}

/** Creates the transport that the configuration selects. */
export function createSmtpTransport(
  deps: Pick<Deps, 'clock' | 'config' | 'dns' | 'logger'>,
  policies: MtaStsResolver,
  note: NoteTls,
): Transport {
  const { config, logger } = deps;
  const connect =
    config.smtpRelay === undefined ? directly(deps, policies, note) : throughRelay(deps, config.smtpRelay);
  const hostsMax = config.smtpRelay === undefined ? HOSTS_MAX : 1;

  const sendGroup = async (
    job: Transmission,
    parts: readonly Buffer[],
    signal: AbortSignal,
  ): Promise<Outcome[]> => {
    const passedOver: string[] = [];
    let result: Outcome | null = null;
    while (passedOver.length < hostsMax) {
      signal.throwIfAborted();
      let target: Target | null = null;
      try {
        target = await connect(job.domain, passedOver, signal);
        passedOver.push(target.address);
        return await sendTo(target, job, parts, signal);
      } catch (error) {
        if (error instanceof UnreachableError) {
          // Once a host of the domain was reached, "no more hosts" adds no information about the
          // domain.
          result ??= unreachable(error);
          break;
        }
        if (!(error instanceof SessionError)) throw error;
        if (error.smtp.code === 'ETLS') target?.onTlsFailure?.();
        logger.info(
          { code: error.smtp.code, reply: error.smtp.responseCode },
          'could not open an SMTP session',
        );
        // A host that lacks an extension says nothing about a host that could not be reached.
        if (result === null || result.kind === 'failed')
          result = isLack(error.smtp.code)
            ? toOutcome(error.smtp, target?.remoteHost ?? job.domain)
            : openingFailure(error, target?.remoteHost, target?.unmetPolicy?.() ?? null);
      }
    }
    const outcome = result ?? { kind: 'deferred', status: '4.4.1', text: 'No mail server could be reached' };
    return job.recipients.map(() => outcome);
  };

  const transmit = async (job: Transmission, signal: AbortSignal): Promise<Outcome[]> => {
    const parts =
      job.signingKey === null ? [job.message] : [await signMessage(job.message, job.signingKey), job.message];
    const outcomes = new Map<string, Outcome>();
    for (const recipients of groupsOf(job.recipients)) {
      const found = await sendGroup({ ...job, recipients }, parts, signal).catch((error: unknown) => {
        if (outcomes.size === 0) throw error;
        // The previous group is already delivered: its outcomes must not be lost with this one.
        return recipients.map(() => INTERRUPTED);
      });
      for (const [index, recipient] of recipients.entries())
        outcomes.set(recipient, found[index] ?? INTERRUPTED);
    }
    return job.recipients.map(recipient => outcomes.get(recipient) ?? INTERRUPTED);
  };

  return { transmit };
}

const INTERRUPTED: Outcome = { kind: 'deferred', status: '4.4.2', text: 'The delivery was interrupted' };

/**
 * Groups recipients that can share a transaction: the requirements of an address without an ASCII
 * form must not make the others fail.
 */
const groupsOf = (recipients: readonly string[]): readonly (readonly string[])[] =>
  [recipients.filter(one => !isInternational(one)), recipients.filter(isInternational)].filter(
    group => group.length > 0,
  );

const TLS_TEXTS: Readonly<Record<string, string>> = {
  ETLS: 'An encrypted connection to the mail server could not be established',
  [POLICY_CODE]: 'The mail server does not meet the security policy of its domain',
};

/**
 * Texts shown to a sender when the server of the recipient's domain does not meet the domain's TLS
 * requirements.
 */
const POLICY_TEXTS: Readonly<Record<TlsPolicyName, string>> = {
  dane: 'The mail server does not match the DANE records (TLSA) of its domain',
  'mta-sts': 'The mail server does not meet the MTA-STS policy of its domain',
};

/**
 * A refusal in the greeting is never permanent: another host, or a later attempt, may succeed. RFC
 * 5321 §4.5.4.1.
 */
function openingFailure(
  { smtp }: SessionError,
  remoteHost: string | undefined,
  tlsPolicy: TlsPolicyName | null,
): Outcome {
  const ownText = TLS_TEXTS[smtp.code ?? ''];
  const tlsText = ownText === undefined || tlsPolicy === null ? ownText : POLICY_TEXTS[tlsPolicy];
  return {
    kind: 'deferred',
    status: tlsText === undefined ? '4.4.2' : '4.7.5',
    text: tlsText ?? 'The mail server did not open a session',
    isUnmet: true,
    ...(remoteHost === undefined ? {} : { remoteHost }),
    ...(tlsText === undefined || tlsPolicy === null ? {} : { tlsPolicy }),
    ...(typeof smtp.responseCode === 'number' ? { replyCode: smtp.responseCode } : {}),
  };
}
