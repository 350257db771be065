/**
 * The recipients of a transaction (RCPT TO): which addresses are accepted, whose mailboxes they
 * are, and whether the message may be a report. Mailbox rules are features/inbound/ingest's.
 */
import { directoryNameOf, domainOf, normalizeAddress } from '@keyfold/mail/address-form';
import type { SMTPServerEnvelope, SMTPServerSession } from 'smtp-server';
import { networkOf } from '../../adapters/network.ts';
import type { Config } from '../../config/config.ts';
import type { Deps } from '../../context/deps.ts';
import type { Owner } from '../../features/accounts/users/index.ts';
import {
  createGreylist,
  createRecipientResolver,
  type RecipientDecision,
} from '../../features/inbound/ingest/index.ts';
import type { ArrivalLimits } from './arrival-limits.ts';
import type { Forwards } from './forwards.ts';
import { REFUSED_FORGIVEN_MAX, REFUSED_RECIPIENTS_MAX } from './limits.ts';
import { type Refusal, refusal, type SmtpRefusal } from './replies.ts';

export type Recipients = {
  /** Adds a recipient to a transaction. Throws SmtpRefusal when it is not accepted. */
  readonly add: (address: string, session: SMTPServerSession) => Promise<void>;
  /** The users who get a copy of the transaction's message. */
  readonly ownersOf: (envelope: SMTPServerEnvelope) => Owner[];
  /** Whether a recipient's address is one that other servers send reports to. */
  readonly mayGetReport: (envelope: SMTPServerEnvelope) => boolean;
};

export type RecipientParts = {
  readonly forwards: Forwards;
  readonly limits: ArrivalLimits;
  readonly isGateway: (ip: string) => boolean;
};

const REFUSED: Record<Exclude<RecipientDecision['kind'], 'accepted'>, Refusal> = {
  foreign: 'relay',
  unknown: 'unknownUser',
  full: 'mailboxFull',
  suspended: 'mailboxOff',
};

/**
 * Names of addresses to which other servers send reports. The server reads this mail and does not
 * store it. No user of a service domain can have these names (features/accounts/auth/usernames.ts).
 */
const REPORTS: ReadonlySet<string> = new Set(['dmarc', 'tls-rpt', 'tlsrpt']);
/** Role addresses for problems (RFC 2142): their mail is delivered to people, and read as well. */
const PEOPLE: ReadonlySet<string> = new Set(['abuse', 'postmaster']);

/** Returns the purpose of an address for reports, or null for all others. */
const createReportAddresses =
  ({ domains }: Pick<Config, 'domains'>) =>
  (given: string): 'people' | 'reports' | null => {
    const address = normalizeAddress(given);
    const [name = '', domain = ''] = directoryNameOf(address).split('@');
    if (PEOPLE.has(name)) return 'people';
    return REPORTS.has(name) && domains.includes(domain) ? 'reports' : null;
  };

/**
 * The reply to address guessing, by the session's number of refused recipients; null while it is
 * not guessing. When many senders share a network, a stranger can use up its limit, so a session
 * with few refused recipients of its own continues.
 */
function answerToGuessing(refusedCount: number, isNetworkGood: boolean): Refusal | null {
  if (refusedCount > (isNetworkGood ? REFUSED_RECIPIENTS_MAX : REFUSED_FORGIVEN_MAX)) return 'tooManyRefused';
  return isNetworkGood ? null : 'tooManyOfNetwork';
}

/** The size that MAIL FROM announced (RFC 1870), or 0. */
function announcedBytes({ mailFrom }: SMTPServerEnvelope): number {
  const { args } = mailFrom || { args: false as const };
  return args ? Number(args.SIZE ?? 0) : 0;
}

type GreylistTest = (owner: Owner, session: SMTPServerSession) => Promise<boolean>;

/** Whether greylisting lets a sender through. */
function createGreylistTest(deps: Deps, isGateway: RecipientParts['isGateway']): GreylistTest {
  if (!deps.config.isGreylistOn) return async () => true;
  const greylist = createGreylist(deps);
  return async ({ userId }, { envelope, remoteAddress }) => {
    if (isGateway(remoteAddress)) return true;
    const sender = envelope.mailFrom ? envelope.mailFrom.address : '';
    return greylist.isWelcome({
      network: networkOf(remoteAddress),
      senderDomain: domainOf(sender).toLowerCase(),
      ownerId: userId,
    });
  };
}

export function createRecipients(deps: Deps, { forwards, limits, isGateway }: RecipientParts): Recipients {
  const decideRecipient = createRecipientResolver(deps);
  const findUse = createReportAddresses(deps.config);
  const passesGreylist = createGreylistTest(deps, isGateway);
  // smtp-server creates an envelope for each transaction, so entries by envelope end with the
  // transaction.
  const owners = new WeakMap<SMTPServerEnvelope, Map<string, Owner>>();
  const withReportAddress = new WeakSet<SMTPServerEnvelope>();
  const refusedCounts = new WeakMap<SMTPServerSession, number>();

  const addOwner = (envelope: SMTPServerEnvelope, address: string, owner: Owner): void => {
    const known = owners.get(envelope) ?? new Map<string, Owner>();
    owners.set(envelope, known.set(address.toLowerCase(), owner));
  };

  const refuse = (session: SMTPServerSession, why: Refusal): SmtpRefusal => {
    const refusedCount = (refusedCounts.get(session) ?? 0) + 1;
    refusedCounts.set(session, refusedCount);
    return refusal(answerToGuessing(refusedCount, limits.mayErr(session.remoteAddress)) ?? why);
  };

  const add = async (address: string, session: SMTPServerSession): Promise<void> => {
    const bounce = await forwards.takeReturn(address, session.envelope);
    if (bounce === 'taken') return;
    if (bounce === 'guess') throw refuse(session, 'relay');
    const decision = await decideRecipient(address, announcedBytes(session.envelope));
    if (decision.kind === 'accepted') {
      if (!(await passesGreylist(decision.owner, session))) throw refusal('greylisted');
      addOwner(session.envelope, address, decision.owner);
      if (findUse(address) !== null) withReportAddress.add(session.envelope);
      if (decision.isStandIn) forwards.note(address, session.envelope, decision.owner.userId);
      return;
    }
    if (decision.kind === 'unknown' && findUse(address) === 'reports') {
      withReportAddress.add(session.envelope);
      forwards.note(address, session.envelope, null);
      return;
    }
    throw refuse(session, REFUSED[decision.kind]);
  };

  return {
    add,
    ownersOf: envelope => [...(owners.get(envelope)?.values() ?? [])],
    mayGetReport: envelope => withReportAddress.has(envelope),
  };
}
