/**
 * Bounces of forwarded mail: they arrive at a rewritten sender and go back to the original sender.
 * To avoid acting as a relay, it accepts nothing but bounces, and sends only to addresses that we
 * rewrote.
 */
import { directoryNameOf, domainOf, normalizeAddress } from '@keyfold/mail/address-form';
import { counter } from '../../../base/metrics.ts';
import {
  RETURN_MAX_BYTES,
  RETURN_WINDOW_MS,
  RETURNS_COUNTED_MAX,
  RETURNS_PER_HOUR,
  RETURNS_PER_SENDER,
} from '../../../base/sending-limits.ts';
import type { Deps } from '../../../context/deps.ts';
import { findPostmaster } from '../../inbound/ingest/index.ts';
import { createSharedWindows } from '../../support/rate-limits/index.ts';
import { enqueueOutbound, signalDelivery } from '../delivery/index.ts';
import { type Alignment, createOwnTest, type ForwardVerdicts, findReasonToRefuse } from './may-forward.ts';
import { createSrs, isSrsShaped } from './srs.ts';
import { type Hop, isLooping, traceFields } from './trace.ts';

/** Destination of a bounce. */
export type ReturnedTo = {
  readonly kind: 'returned';
  /** The sender whose message was forwarded. */
  readonly address: string;
  /** The user responsible for the domain, who owns the queue row. */
  readonly userId: string;
};

type ReturnDecision =
  | ReturnedTo
  /** Not an SRS address at one of our domains. */
  | { readonly kind: 'other' }
  /** Not issued by us, expired, or used by a sender that is not a bouncing server. */
  | { readonly kind: 'refused' }
  /** The limit of bounces is reached. */
  | { readonly kind: 'too_many' };

type ReturnDesk = {
  /** Decides on a recipient. `sender` is the envelope sender, empty for a bounce. */
  readonly decide: (address: string, sender: string) => Promise<ReturnDecision>;
  /** Queues a bounce. Returns its id in the queue, or why it is refused. */
  readonly sendBack: (
    to: ReturnedTo,
    mail: { readonly raw: Buffer; readonly verdicts: ForwardVerdicts } & Omit<Hop, 'hostname'>,
  ) => Promise<
    | { readonly refused: 'disowned' | 'looping' | 'tooLarge' }
    | { readonly refused: null; readonly id: string }
  >;
};

const returned = counter('keyfold_forward_bounces_total', 'Bounces of forwarded role mail, by outcome', [
  'outcome',
]);

export function createReturnHandler(
  deps: Pick<Deps, 'clock' | 'config' | 'db' | 'logger' | 'masterKey'>,
  isAligned: Alignment,
): ReturnDesk {
  const { config, clock, db, masterKey } = deps;
  const srs = createSrs(masterKey);
  const isOurs = createOwnTest(config, isAligned);
  const count = (name: string, points: number) =>
    createSharedWindows(deps, { name, points, windowMs: RETURN_WINDOW_MS, keysMax: RETURNS_COUNTED_MAX });
  const ofSender = count('bounces to one', RETURNS_PER_SENDER);
  const ofAll = count('bounces', RETURNS_PER_HOUR);
  return {
    decide: async (given, sender) => {
      const domain = domainOf(normalizeAddress(given));
      if (!isSrsShaped(given) || !config.domains.includes(domain)) return { kind: 'other' };
      const address = sender === '' ? srs.unwrap(given, clock.now()) : null;
      const owner = address === null ? null : await findPostmaster(db);
      if (
        address === null ||
        owner === null ||
        config.domains.includes(domainOf(normalizeAddress(address)))
      ) {
        returned.inc({ outcome: 'refused' });
        return { kind: 'refused' };
      }
      if (!ofSender.take(directoryNameOf(normalizeAddress(address))) || !ofAll.take('all')) {
        returned.inc({ outcome: 'too_many' });
        return { kind: 'too_many' };
      }
      return { kind: 'returned', address, userId: owner.userId };
    },
    sendBack: async (to, { raw, verdicts, ...hop }) => {
      if (findReasonToRefuse(verdicts, isOurs) !== null) return { refused: 'disowned' };
      if (raw.length > RETURN_MAX_BYTES) return { refused: 'tooLarge' };
      if (isLooping(raw, [])) return { refused: 'looping' };
      const message = Buffer.concat([traceFields({ ...hop, hostname: config.hostname }, []), raw]);
      const { userId, address } = to;
      const id = await db
        .transaction()
        .execute(trx =>
          enqueueOutbound(deps, trx, { userId, sender: '', recipients: [address], message, isForward: true }),
        );
      returned.inc({ outcome: 'queued' });
      signalDelivery(deps);
      return { refused: null, id };
    },
  };
}
