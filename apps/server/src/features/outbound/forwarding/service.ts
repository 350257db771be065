/**
 * Forwards mail for roles of the service's own domains (postmaster@, abuse@, …) to external
 * addresses that the operator configured, and returns its bounces
 * (docs/adr/0041-mail-between-servers.md). Off unless configured. Mail of users' mailboxes is never
 * forwarded. The SMTP layer seals and calls this module; queued messages are sealed under the
 * master key like all outbound mail.
 */
import { directoryNameOf, domainOf, normalizeAddress } from '@keyfold/mail/address-form';
import { siteOf } from '../../../adapters/network.ts';
import { counter } from '../../../base/metrics.ts';
import {
  FORWARD_WINDOW_MS,
  FORWARDING_SITES_MAX,
  FORWARDS_PER_HOUR,
  FORWARDS_PER_SITE,
} from '../../../base/sending-limits.ts';
import type { ForwardRule } from '../../../config/forwarding.ts';
import { createNetworkTest } from '../../../config/networks.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { findPostmaster } from '../../inbound/ingest/index.ts';
import { createSharedWindows } from '../../support/rate-limits/index.ts';
import { enqueueOutbound, type OutboundMail, signalDelivery } from '../delivery/index.ts';
import {
  type Alignment,
  createOwnTest,
  type ForwardedMail,
  findReasonToKeep,
  type Kept,
} from './may-forward.ts';
import { createRefusedForwards, type Shares } from './refused-forwards.ts';
import { createSrs } from './srs.ts';
import { traceFields } from './trace.ts';

/**
 * A role's address, without any tag that the sender added, and the address its mail is also
 * forwarded to.
 */
export type Forward = { readonly address: string; readonly domain: string; readonly target: string };

/** What the SMTP layer provides for a forwarded message. */
type Sealer = {
  /**
   * Returns the header fields to prepend: the ARC set, or nothing when none can be created. Never
   * rejects.
   */
  readonly seal: (mail: ForwardedMail, domain: string) => Promise<Buffer>;
  readonly isAligned: Alignment;
};

type Forwarder = {
  /**
   * Returns the operator's rule for an address, or null when the address is not a role at one of
   * our domains or has no rule.
   */
  readonly find: (address: string) => Forward | null;
  /**
   * Prepares a message for forwarding. Returns a function to run in the transaction that accepts
   * the message, which returns the id in the queue. Returns null when the message is not forwarded,
   * and counts that. `userId` is the user responsible for the role, who owns the queue row.
   */
  readonly prepare: (
    userId: string,
    forwards: readonly Forward[],
    mail: ForwardedMail,
    isFlagged: boolean,
  ) => Promise<((trx: Trx) => Promise<string>) | null>;
  /**
   * Forwards messages that are in no mailbox, such as reports, and returns the id in the queue.
   * Returns null when the message is not forwarded. Without a super admin no user can own it, so it
   * stays here.
   */
  readonly sendOn: (forwards: readonly Forward[], mail: ForwardedMail) => Promise<string | null>;
};

type ForwardDeps = Pick<Deps, 'clock' | 'config' | 'db' | 'logger' | 'masterKey'>;

const forwarded = counter('keyfold_forwards_total', 'Role mail to be forwarded, by outcome', ['outcome']);

export function createForwarder(deps: ForwardDeps, sealer: Sealer): Forwarder {
  const { config, clock, logger, masterKey } = deps;
  const srs = createSrs(masterKey);
  const rules = new Map<string, ForwardRule>(config.forwards.map(rule => [rule.role, rule]));
  const count = (name: string, points: number, keysMax: number) =>
    createSharedWindows(deps, { name, points, windowMs: FORWARD_WINDOW_MS, keysMax });
  const ofSite = count('forwards of one', FORWARDS_PER_SITE, FORWARDING_SITES_MAX);
  const ofAll = count('forwards', FORWARDS_PER_HOUR, 1);
  const isGateway = createNetworkTest(config.mailGateways);
  const noteRefused = createRefusedForwards(deps);

  const isOurs = createOwnTest(config, sealer.isAligned);

  const keep = (why: Kept | 'too_many'): null => {
    forwarded.inc({ outcome: why });
    logger.info({ why }, 'role mail not forwarded');
    return null;
  };

  /**
   * Counts a message to be forwarded. Returns the exhausted limit, or null when the message may go.
   */
  const findUsedUp = (clientIp: string): Shares | null => {
    // Check the site's limit first, so that excess mail from one site does not use up the total.
    if (!isGateway(clientIp) && !ofSite.take(siteOf(clientIp))) return 'site';
    return ofAll.take('all') ? null : 'all';
  };

  /**
   * Returns the envelope sender for a forward. Messages that claim one of our domains get the null
   * sender, because their bounces would originate here.
   */
  const senderOf = ({ envelopeFrom, verdicts }: ForwardedMail, domain: string): string => {
    // A domain that disowns the envelope never sent the message and must not receive its bounces.
    if (verdicts.spf === 'fail' || verdicts.spf === 'softfail') return '';
    if (envelopeFrom === '' || config.domains.includes(domainOf(normalizeAddress(envelopeFrom)))) return '';
    return srs.wrap(envelopeFrom, domain, clock.now()) ?? '';
  };

  const prepare: Forwarder['prepare'] = async (userId, forwards, mail, isFlagged) => {
    const [first] = forwards;
    if (first === undefined) return null;
    const roles = [...new Set(forwards.map(({ address }) => address))];
    const why = isFlagged ? 'spam' : findReasonToKeep(mail, roles, isOurs);
    if (why !== null) return keep(why);
    const usedUp = findUsedUp(mail.clientIp);
    if (usedUp !== null) {
      await noteRefused(usedUp);
      return keep('too_many');
    }
    const trace = traceFields({ ...mail, hostname: config.hostname }, roles);
    const outgoing: OutboundMail = {
      userId,
      sender: senderOf(mail, first.domain),
      recipients: [...new Set(forwards.map(({ target }) => target))],
      message: Buffer.concat([trace, await sealer.seal(mail, first.domain), mail.raw]),
      isForward: true,
    };
    return async trx => {
      const id = await enqueueOutbound(deps, trx, outgoing);
      forwarded.inc({ outcome: 'queued' });
      return id;
    };
  };

  return {
    prepare,
    sendOn: async (forwards, mail) => {
      const owner = await findPostmaster(deps.db);
      const run = owner === null ? null : await prepare(owner.userId, forwards, mail, false);
      if (run === null) return null;
      const id = await deps.db.transaction().execute(run);
      signalDelivery(deps);
      return id;
    },
    find: given => {
      if (rules.size === 0) return null;
      // RFC 5321 §4.1.1.3: a bare `postmaster` means this machine's postmaster.
      const address = normalizeAddress(given.includes('@') ? given : `${given}@${config.domains[0]}`);
      const [name = '', domain = ''] = directoryNameOf(address).split('@');
      const rule = rules.get(name);
      return rule === undefined || !config.domains.includes(domain)
        ? null
        : { address: `${name}@${domain}`, domain, target: rule.target };
    },
  };
}
