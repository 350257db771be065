/**
 * Forwarded role mail and its bounces, from the SMTP layer's view: what a transaction's recipients
 * mean for forwarding, and what to do once its message has arrived. features/outbound/forwarding
 * makes the decisions.
 */
import type { SMTPServerEnvelope } from 'smtp-server';
import { FORWARD_MAX_BYTES, RETURN_MAX_BYTES } from '../../base/sending-limits.ts';
import type { Deps } from '../../context/deps.ts';
import type { Onward } from '../../features/inbound/ingest/index.ts';
import { getSigningKey, signalDelivery } from '../../features/outbound/delivery/index.ts';
import {
  createForwarder,
  createReturnHandler,
  type Forward,
  type ForwardedMail,
  type ReturnedTo,
} from '../../features/outbound/forwarding/index.ts';
import { isAligned } from '../auth/alignment.ts';
import type { Authentication } from '../auth/authenticate.ts';
import { sealArc } from '../outbound/seal-arc.ts';
import { ONWARD_COPIES } from './limits.ts';
import { refusal } from './replies.ts';

export type Arrived = Omit<ForwardedMail, 'verdicts'> & { readonly verdicts: Authentication };

export type Forwards = {
  /**
   * Checks a recipient first: `taken` when it is the rewritten sender of a bounce, `guess` when it
   * only looks like one. Throws SmtpRefusal when it cannot be accepted now.
   */
  readonly takeReturn: (
    address: string,
    envelope: SMTPServerEnvelope,
  ) => Promise<'guess' | 'other' | 'taken'>;
  /**
   * Records a role's address; `userId` is the owner of the mailbox that stores its mail, null when
   * no mailbox does.
   */
  readonly note: (address: string, envelope: SMTPServerEnvelope, userId: string | null) => void;
  /**
   * Returns the additional memory, in bytes, that forwarding a message of this size takes; 0 when
   * it is not forwarded.
   */
  readonly bytesFor: (envelope: SMTPServerEnvelope, sizeBytes: number) => number;
  /** Returns the forward that accompanies a copy in a mailbox; usually none. */
  readonly onwardOf: (envelope: SMTPServerEnvelope, mail: Arrived) => { readonly onward?: Onward };
  /** Releases what was queued with the copy. */
  readonly wake: (envelope: SMTPServerEnvelope) => void;
  /** Returns the queue ids of what was forwarded or bounced back for a transaction. */
  readonly queueOf: (envelope: SMTPServerEnvelope) => string[];
  /** Forwards messages that no mailbox stores. */
  readonly sendOn: (envelope: SMTPServerEnvelope, mail: Arrived) => Promise<void>;
  /** Sends a bounce back. Throws SmtpRefusal. */
  readonly sendBack: (envelope: SMTPServerEnvelope, mail: Arrived) => Promise<void>;
};

/**
 * How a message was forwarded: with a copy in a mailbox, without one, or as a bounce to the
 * original sender.
 */
type Way = 'alone' | 'back' | 'copy';

type Noted = Forward & { readonly userId: string | null };

export function createForwards(deps: Deps): Forwards {
  const desk = createForwarder(deps, {
    isAligned,
    seal: async (mail, domain) => {
      try {
        return await sealArc(mail.raw, (mail as Arrived).verdicts, await getSigningKey(deps, domain));
      } catch (error) {
        deps.logger.warn({ err: error }, 'forwarding role mail without an ARC seal');
        return Buffer.alloc(0);
      }
    },
  });
  const returns = createReturnHandler(deps, isAligned);
  // Keyed by envelope, so that records end with the transaction.
  const forwards = new WeakMap<SMTPServerEnvelope, Noted[]>();
  const returned = new WeakMap<SMTPServerEnvelope, ReturnedTo>();
  const queued = new WeakMap<SMTPServerEnvelope, Map<Way, string>>();
  // Keyed by way, because a retried transaction queues with another id.
  const noteQueued = (envelope: SMTPServerEnvelope, way: Way, id: string): void => {
    queued.set(envelope, new Map([...(queued.get(envelope) ?? []), [way, id]]));
  };

  const kept = (envelope: SMTPServerEnvelope) =>
    (forwards.get(envelope) ?? []).filter(({ userId }) => userId !== null);
  const unkept = (envelope: SMTPServerEnvelope) =>
    (forwards.get(envelope) ?? []).filter(({ userId }) => userId === null);

  return {
    takeReturn: async (address, envelope) => {
      // The response to a bounce concerns one recipient, so that its outcome is never reported for
      // another.
      if (returned.has(envelope)) throw refusal('oneAtATime');
      const sender = envelope.mailFrom ? envelope.mailFrom.address : '';
      const decision = await returns.decide(address, sender);
      if (decision.kind === 'other') return 'other';
      if (decision.kind === 'too_many') throw refusal('tooMuch');
      if (decision.kind === 'refused') return 'guess';
      if (envelope.rcptTo.length > 0) throw refusal('oneAtATime');
      returned.set(envelope, decision);
      return 'taken';
    },
    note: (address, envelope, userId) => {
      const found = desk.find(address);
      if (found !== null) forwards.set(envelope, [...(forwards.get(envelope) ?? []), { ...found, userId }]);
    },
    bytesFor: (envelope, sizeBytes) => {
      const goesOn =
        (forwards.has(envelope) && sizeBytes <= FORWARD_MAX_BYTES) ||
        (returned.has(envelope) && sizeBytes <= RETURN_MAX_BYTES);
      return goesOn ? ONWARD_COPIES * sizeBytes : 0;
    },
    onwardOf: (envelope, mail) => {
      const mine = kept(envelope);
      const userId = mine[0]?.userId ?? null;
      if (userId === null) return {};
      const prepare: Onward['prepare'] = async isFlagged => {
        const run = await desk.prepare(userId, mine, mail, isFlagged);
        return run === null ? null : async trx => noteQueued(envelope, 'copy', await run(trx));
      };
      return { onward: { userId, prepare } };
    },
    queueOf: envelope => [...(queued.get(envelope) ?? new Map<Way, string>()).values()],
    wake: envelope => {
      if (kept(envelope).length > 0) signalDelivery(deps);
    },
    sendOn: async (envelope, mail) => {
      const mine = unkept(envelope);
      // No spam filter scores messages that no mailbox stores: their sender must be authenticated
      // instead.
      const isProved = mail.verdicts.dmarc === 'pass' || mail.verdicts.dkim === 'pass';
      const id = mine.length > 0 && isProved ? await desk.sendOn(mine, mail) : null;
      if (id !== null) noteQueued(envelope, 'alone', id);
    },
    sendBack: async (envelope, mail) => {
      const to = returned.get(envelope);
      if (to === undefined) return;
      const outcome = await returns.sendBack(to, mail);
      if (outcome.refused !== null) throw refusal(outcome.refused);
      noteQueued(envelope, 'back', outcome.id);
    },
  };
}
