/**
 * Delivers mail from our users to local addresses without keys: addresses covered by a catch-all,
 * and postmasters (ADR 21). It is processed like external mail, with the same rules and refusals,
 * but without an SMTP session, because this process already knows what our own MX would answer.
 * SMTP to ourselves would fail at the rule against this machine's own addresses.
 *
 * A repeated attempt stores nothing twice: ingest recognizes the message by its bytes, so nothing
 * is added to them.
 */
import { domainOf } from '@keyfold/mail/address-form';
import type { Deps } from '../../../context/deps.ts';
import { findOwnersOf, type Owner } from '../../accounts/users/index.ts';
import { type Ingest, kindOfFailure, type RecipientDecision } from '../../inbound/ingest/index.ts';
import type { Outcome } from './transport.ts';

/** Outcomes for messages that are not delivered, worded like the replies of our SMTP server. */
const FULL: Outcome = { kind: 'failed', status: '5.2.2', text: 'The mailbox is full' };
const REFUSED: Readonly<Record<'full' | 'suspended' | 'unknown', Outcome>> = {
  unknown: { kind: 'failed', status: '5.1.1', text: 'There is no such mailbox' },
  suspended: { kind: 'deferred', status: '4.2.1', text: 'The mailbox does not accept mail at present' },
  full: FULL,
};

/**
 * Returns the outcome that follows from the decision alone, or null when the message must be
 * delivered.
 */
export const outcomeOfDecision = ({ kind }: RecipientDecision): Outcome | null =>
  kind === 'accepted' || kind === 'foreign' ? null : REFUSED[kind];

export type InsideMail = {
  /** The user who sent the message. */
  readonly userId: string;
  /** Envelope sender, which is the only address in From. */
  readonly sender: string;
  readonly message: Buffer;
  readonly recipients: readonly Owner[];
};

/**
 * Returns whether the sender's address still belongs to the account that sent the message. If so,
 * the author is known with more certainty than DKIM provides, because From was compared with the
 * account at sending time.
 */
const isProved = async ({ db }: Pick<Deps, 'db'>, { sender, userId }: InsideMail): Promise<boolean> =>
  (await findOwnersOf(db, [sender])).get(sender)?.userId === userId;

function toOutcome(error: unknown): Outcome {
  const kind = kindOfFailure(error);
  if (kind === 'mailbox_full') return FULL;
  return kind === 'no_space'
    ? { kind: 'deferred', status: '4.3.1', text: 'Insufficient storage' }
    : { kind: 'deferred', status: '4.3.0', text: 'The message could not be stored' };
}

/**
 * Stores a message in the mailboxes of all its recipients, or of none. Rejects only when the
 * database is unavailable.
 */
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
      // RFC 8601 §2.7.4: only a signed-in user could have submitted it.
      authenticationResults: `${hostname}; auth=pass; dmarc=${dmarc} header.from=${domainOf(mail.sender)}`,
      oneClick: null,
      verdicts: { spf: 'none', dkim: 'none', dmarc, dmarcPolicy: 'none' },
      receivedAt: deps.clock.now(),
    });
    return { kind: 'delivered' };
  } catch (error) {
    deps.logger.warn({ err: error, kind: kindOfFailure(error) }, 'could not store local mail');
    return toOutcome(error);
  }
}
