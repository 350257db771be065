/**
 * Role mail that is sent on, and bounces of it, as the SMTP room sees them: what the recipients of a transaction mean for that,
 * and what is to be done once its message is here. Decisions are features/outbound/forwarding's.
 */
import type { SMTPServerEnvelope } from 'smtp-server';
import { FORWARD_MAX_BYTES, RETURN_MAX_BYTES } from '../../base/limits.ts';
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

type Arrived = Omit<ForwardedMail, 'verdicts'> & { readonly verdicts: Authentication };

type Forwards = {
  /**
   * Looks at a recipient before anybody else: `taken` when it is the rewritten sender of a bounce, `guess` when it only looks
   * like one. Throws SmtpRefusal when it cannot be taken now.
   */
  readonly takeReturn: (
    address: string,
    envelope: SMTPServerEnvelope,
  ) => Promise<'guess' | 'other' | 'taken'>;
  /** Notes a role's address; `userId` is whose mailbox its mail lies in, null where that is nobody's. */
  readonly note: (address: string, envelope: SMTPServerEnvelope, userId: string | null) => void;
  /** Bytes of memory that a message of this size takes besides when it goes on to somewhere else; 0 when it does not. */
  readonly bytesFor: (envelope: SMTPServerEnvelope, sizeBytes: number) => number;
  /** What goes on together with a copy in a mailbox; none as a rule. */
  readonly onwardOf: (envelope: SMTPServerEnvelope, mail: Arrived) => { readonly onward?: Onward };
  /** Lets what was queued with the copy go. */
  readonly wake: (envelope: SMTPServerEnvelope) => void;
  /** Ids in the queue of what was sent on or back for a transaction. */
  readonly queueOf: (envelope: SMTPServerEnvelope) => string[];
  /** Sends on what lies in no mailbox. */
  readonly sendOn: (envelope: SMTPServerEnvelope, mail: Arrived) => Promise<void>;
  /** Sends a bounce back. Throws SmtpRefusal. */
  readonly sendBack: (envelope: SMTPServerEnvelope, mail: Arrived) => Promise<void>;
};

/** How a message left: with a copy in a mailbox, without one, or as a bounce to who wrote. */
type Way = 'alone' | 'back' | 'copy';

type Noted = Forward & { readonly userId: string | null };

export function createForwards(deps: Deps): Forwards {
  const desk = createForwarder(deps, {
    isAligned,
    seal: async (mail, domain) => {
      try {
        return await sealArc(mail.raw, (mail as Arrived).verdicts, await getSigningKey(deps, domain));
      } catch (error) {
        deps.logger.warn({ err: error }, 'role mail is sent on without a seal');
        return Buffer.alloc(0);
      }
    },
  });
  const returns = createReturnHandler(deps, isAligned);
  // By envelope: what is noted ends with the transaction.
  const forwards = new WeakMap<SMTPServerEnvelope, Noted[]>();
  const returned = new WeakMap<SMTPServerEnvelope, ReturnedTo>();
  const queued = new WeakMap<SMTPServerEnvelope, Map<Way, string>>();
  // By way: a transaction that is tried again queues with another id.
  const noteQueued = (envelope: SMTPServerEnvelope, way: Way, id: string): void => {
    queued.set(envelope, new Map([...(queued.get(envelope) ?? []), [way, id]]));
  };

  const kept = (envelope: SMTPServerEnvelope) =>
    (forwards.get(envelope) ?? []).filter(({ userId }) => userId !== null);
  const unkept = (envelope: SMTPServerEnvelope) =>
    (forwards.get(envelope) ?? []).filter(({ userId }) => userId === null);

  return {
    takeReturn: async (address, envelope) => {
      // A bounce's answer is about one recipient: what became of it is then never said of another.
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
      // Nobody scores what lies in no mailbox: its sender must be proved instead.
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
