/**
 * Mail to roles of the service's own domains (postmaster@, abuse@, …) that the operator has sent on to an address elsewhere, and
 * its bounces on their way back (docs/adr/0041-mail-between-servers.md). Off unless configured; mail of people's mailboxes is
 * never sent on. The SMTP room seals and asks; what is queued is sealed under the master key like all mail to the outside.
 */
import { directoryNameOf, domainOf, normalizeAddress } from '@keyfold/mail/address-form';
import { siteOf } from '../../../adapters/network.ts';
import {
  FORWARD_WINDOW_MS,
  FORWARDING_SITES_MAX,
  FORWARDS_PER_HOUR,
  FORWARDS_PER_SITE,
} from '../../../base/limits.ts';
import { counter } from '../../../base/metrics.ts';
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

/** A role's address, without what the sender may have added to it, and where its mail goes besides. */
export type Forward = { readonly address: string; readonly domain: string; readonly target: string };

/** What the SMTP room does for a message that is sent on. */
type Sealer = {
  /** Fields to put in front: the ARC set; empty when there can be none. Never rejects. */
  readonly seal: (mail: ForwardedMail, domain: string) => Promise<Buffer>;
  readonly isAligned: Alignment;
};

type Forwarder = {
  /** What the operator says of an address; null for all that are no role of a domain of ours, or have no rule. */
  readonly find: (address: string) => Forward | null;
  /**
   * Makes a message ready to be sent on: what is to be done in the transaction that takes it in, which returns the id in the
   * queue. Null when it stays here, which is counted. `userId`: who answers for the role, and owns the row.
   */
  readonly prepare: (
    userId: string,
    forwards: readonly Forward[],
    mail: ForwardedMail,
    isFlagged: boolean,
  ) => Promise<((trx: Trx) => Promise<string>) | null>;
  /**
   * Sends on what lies in no mailbox, such as reports; returns its id in the queue. Without a super admin there is nobody to own
   * it, and it stays: null.
   */
  readonly sendOn: (forwards: readonly Forward[], mail: ForwardedMail) => Promise<string | null>;
};

type ForwardDeps = Pick<Deps, 'clock' | 'config' | 'db' | 'logger' | 'masterKey'>;

const forwarded = counter(
  'keyfold_forwards_total',
  'Role mail that was to be sent on, by what was done with it',
  ['outcome'],
);

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
    logger.info({ why }, 'role mail was not sent on');
    return null;
  };

  /** Counts a message that goes on; whose share is used up, or null when it may go. */
  const findUsedUp = (clientIp: string): Shares | null => {
    // The site first: what is beyond its share takes nothing of all the others'.
    if (!isGateway(clientIp) && !ofSite.take(siteOf(clientIp))) return 'site';
    return ofAll.take('all') ? null : 'all';
  };

  /** The sender that it goes out with. Mail in the name of a domain of ours has none: its bounces would come from here. */
  const senderOf = ({ envelopeFrom, verdicts }: ForwardedMail, domain: string): string => {
    // Whose domain disowns the envelope never sent it, and shall not get its bounces.
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
      // RFC 5321 §4.1.1.3: `postmaster` alone means this machine's.
      const address = normalizeAddress(given.includes('@') ? given : `${given}@${config.domains[0]}`);
      const [name = '', domain = ''] = directoryNameOf(address).split('@');
      const rule = rules.get(name);
      return rule === undefined || !config.domains.includes(domain)
        ? null
        : { address: `${name}@${domain}`, domain, target: rule.target };
    },
  };
}
