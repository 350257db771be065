/**
 * Hands mail of our users to addresses without keys that are taken here: names that a catch-all takes, and postmasters
 * (ADR 21). It goes the way of mail from outside, with the same rules and the same refusals, but over no wire: what our own
 * MX would be asked is known here. SMTP to ourselves would end at the rule against addresses of this machine.
 *
 * A repeated attempt stores nothing twice: ingest knows the message by its bytes, which is why nothing is added to them.
 */
import { domainOf } from '@keyfold/mail/address-form';
import type { Deps } from '../../../context/deps.ts';
import { findOwnersOf, type Owner } from '../../accounts/users/index.ts';
import { type Ingest, kindOfFailure, type RecipientDecision } from '../../inbound/ingest/index.ts';
import type { Outcome } from './transport.ts';

/** What is not handed over, in the words that other servers get of our SMTP room. */
const FULL: Outcome = { kind: 'failed', status: '5.2.2', text: 'The mailbox is full' };
const REFUSED: Readonly<Record<'full' | 'suspended' | 'unknown', Outcome>> = {
  unknown: { kind: 'failed', status: '5.1.1', text: 'There is no such mailbox here' },
  suspended: { kind: 'deferred', status: '4.2.1', text: 'The mailbox takes no mail at present' },
  full: FULL,
};

/** What a decision alone says of a recipient; null when there is something to hand over. */
export const outcomeOfDecision = ({ kind }: RecipientDecision): Outcome | null =>
  kind === 'accepted' || kind === 'foreign' ? null : REFUSED[kind];

export type InsideMail = {
  /** Whose mail it is. */
  readonly userId: string;
  /** Envelope sender, which is the one address in From. */
  readonly sender: string;
  readonly message: Buffer;
  readonly recipients: readonly Owner[];
};

/**
 * Whether the sender's address is still that of the account which sent the mail. Then its author is known better than DKIM
 * could tell: From was compared with the account when the mail was sent.
 */
const isProved = async ({ db }: Pick<Deps, 'db'>, { sender, userId }: InsideMail): Promise<boolean> =>
  (await findOwnersOf(db, [sender])).get(sender)?.userId === userId;

function toOutcome(error: unknown): Outcome {
  const kind = kindOfFailure(error);
  if (kind === 'mailbox_full') return FULL;
  return kind === 'no_space'
    ? { kind: 'deferred', status: '4.3.1', text: 'Not enough room now' }
    : { kind: 'deferred', status: '4.3.0', text: 'The message could not be stored now' };
}

/** Stores a message in the mailboxes of its recipients, all or none. Rejects only when the database cannot be asked. */
export async function deliverInside(deps: Deps, ingest: Ingest, mail: InsideMail): Promise<Outcome> {
  const { hostname } = deps.config;
  const dmarc = (await isProved(deps, mail)) ? 'pass' : 'none';
  try {
    await ingest.take({
      raw: mail.message,
      envelopeFrom: mail.sender,
      clientIp: '127.0.0.1',
      helo: '[127.0.0.1]',
      findHostName: async () => ({ kind: 'named', name: hostname }),
      recipients: mail.recipients,
      // RFC 8601 §2.7.4: nobody but a user who was signed in could hand it over.
      authenticationResults: `${hostname}; auth=pass; dmarc=${dmarc} header.from=${domainOf(mail.sender)}`,
      oneClick: null,
      verdicts: { spf: 'none', dkim: 'none', dmarc, dmarcPolicy: 'none' },
      receivedAt: deps.clock.now(),
    });
    return { kind: 'delivered' };
  } catch (error) {
    deps.logger.warn({ err: error, kind: kindOfFailure(error) }, 'mail from within was not stored');
    return toOutcome(error);
  }
}
