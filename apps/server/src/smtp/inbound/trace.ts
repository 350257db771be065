/**
 * Writes one log line for each message that SMTP accepts, filters, defers or refuses, so that an
 * operator can trace it and fail2ban can see which peers were refused. The line contains our id,
 * verdicts, folder, domains, code, peer and duration, but never a user's address, a subject or text
 * that the peer sent. docs/operations.md lists the fields.
 */

import { randomBytes } from 'node:crypto';
import { domainOf } from '@keyfold/mail/address-form';
import type { SMTPServerSession } from 'smtp-server';
import { plainAddress } from '../../adapters/network.ts';
import type { Logger } from '../../base/logger.ts';
import type { Filed } from '../../features/inbound/ingest/index.ts';
import type { Authentication } from '../auth/authenticate.ts';
import { plainDomain } from '../auth/results.ts';
import { type Refusal, refusal, type SmtpRefusal } from './replies.ts';

/** First reply code that is permanent (RFC 5321 §4.2.1). */
export const PERMANENT = 500;
const ACCEPTED = 250;
const ID_BYTES = 9;
const ENHANCED = /^([245]\.\d{1,3}\.\d{1,3}) /;
/** Maximum number of domains logged per message. */
const DOMAINS_MAX = 10;

/** Creates the id of a message, used in our reply and in the log. */
export const createTraceId = (): string => randomBytes(ID_BYTES).toString('base64url');

export type Stage = 'connect' | 'command' | 'mail' | 'rcpt' | 'data';

const plainDomainOf = (address: string): string => plainDomain(domainOf(address).replace(/^\[|\]$/g, ''));

/** Returns the recipients' domains without duplicates. */
function domainsOf(session: SMTPServerSession, more: string | undefined): string[] {
  const addresses = [
    ...(session.envelope?.rcptTo ?? []).map(({ address }) => address),
    ...(more === undefined ? [] : [more]),
  ];
  return [...new Set(addresses.map(plainDomainOf).filter(domain => domain !== ''))].slice(0, DOMAINS_MAX);
}

export type Accepted = {
  readonly id: string;
  readonly verdicts: Authentication;
  readonly filed: Filed;
  /** Queue ids of the forwarded copies. */
  readonly queue: readonly string[];
  readonly sizeBytes: number;
  readonly startedAtMs: number;
};

export type Trace = {
  readonly accepted: (session: SMTPServerSession, message: Accepted) => void;
  readonly refused: (
    session: SMTPServerSession,
    stage: Stage,
    answer: SmtpRefusal,
    more?: {
      readonly id?: string;
      readonly recipient?: string;
      readonly startedAtMs?: number;
      readonly verdicts?: Authentication | undefined;
    },
  ) => void;
};

const verdictsOf = ({ spf, dkim, dmarc, dmarcPolicy, arc }: Authentication) => ({
  spf,
  dkim,
  dmarc,
  dmarcPolicy,
  arc,
});

const millisecondsSince = (startedAtMs: number): number => Math.round(performance.now() - startedAtMs);

export const createTrace = (logger: Logger): Trace => ({
  accepted: (session, { id, verdicts, filed, queue, sizeBytes, startedAtMs }) =>
    logger.info(
      {
        id,
        session: session.id,
        ...verdictsOf(verdicts),
        spamScore: filed.points,
        folders: filed.folders,
        ...(queue.length === 0 ? {} : { queue }),
        domains: domainsOf(session, undefined),
        code: ACCEPTED,
        remoteHost: plainAddress(session.remoteAddress),
        sizeBytes,
        durationMs: millisecondsSince(startedAtMs),
      },
      filed.folders.includes('spam') ? 'mail filtered' : 'mail accepted',
    ),
  refused: (session, stage, answer, { id, recipient, startedAtMs, verdicts } = {}) =>
    logger.info(
      {
        ...(id === undefined ? {} : { id }),
        session: session.id,
        stage,
        ...(verdicts === undefined ? {} : verdictsOf(verdicts)),
        domains: stage === 'connect' || stage === 'command' ? [] : domainsOf(session, recipient),
        code: answer.responseCode,
        status: ENHANCED.exec(answer.message)?.[1] ?? null,
        remoteHost: plainAddress(session.remoteAddress),
        ...(startedAtMs === undefined ? {} : { durationMs: millisecondsSince(startedAtMs) }),
      },
      answer.responseCode < PERMANENT ? 'mail deferred' : 'mail refused',
    ),
});

export const refusalOf = (why: Refusal | null): SmtpRefusal | null => (why === null ? null : refusal(why));
