/**
 * Bounces of mail that was sent on: they come to a rewritten sender, and go on to the sender it stands for. Nothing but a
 * bounce, and to nobody whom we did not write that address for: this is no relay.
 */
import { directoryNameOf, domainOf, normalizeAddress } from '@keyfold/mail/address-form';
import {
  RETURN_MAX_BYTES,
  RETURN_WINDOW_MS,
  RETURNS_COUNTED_MAX,
  RETURNS_PER_HOUR,
  RETURNS_PER_SENDER,
} from '../../../base/limits.ts';
import { counter } from '../../../base/metrics.ts';
import type { Deps } from '../../../context/deps.ts';
import { findPostmaster } from '../../inbound/ingest/index.ts';
import { createSharedWindows } from '../../support/rate-limits/index.ts';
import { enqueueOutbound, signalDelivery } from '../delivery/index.ts';
import { type Alignment, createOwnTest, type ForwardVerdicts, findReasonToRefuse } from './may-forward.ts';
import { createSrs, isSrsShaped } from './srs.ts';
import { type Hop, isLooping, traceFields } from './trace.ts';

/** Where a bounce goes. */
export type ReturnedTo = {
  readonly kind: 'returned';
  /** The sender whose mail was sent on. */
  readonly address: string;
  /** Who answers for the domain, and owns the row. */
  readonly userId: string;
};

type ReturnDecision =
  | ReturnedTo
  /** No address of this scheme at a domain of ours. */
  | { readonly kind: 'other' }
  /** Not made by us, or too long ago, or written to by somebody who is no server that bounces. */
  | { readonly kind: 'refused' }
  /** As many came already as there can be. */
  | { readonly kind: 'too_many' };

type ReturnDesk = {
  /** Decides about a recipient; `sender` is the envelope's, empty for a bounce. */
  readonly decide: (address: string, sender: string) => Promise<ReturnDecision>;
  /** Queues a bounce; returns its id in the queue, or why it is refused. */
  readonly sendBack: (
    to: ReturnedTo,
    mail: { readonly raw: Buffer; readonly verdicts: ForwardVerdicts } & Omit<Hop, 'hostname'>,
  ) => Promise<
    | { readonly refused: 'disowned' | 'looping' | 'tooLarge' }
    | { readonly refused: null; readonly id: string }
  >;
};

const returned = counter(
  'keyfold_forward_bounces_total',
  'Bounces of role mail that was sent on, by what was done',
  ['outcome'],
);

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
