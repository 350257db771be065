/**
 * One log line for each message that is accepted, filtered, deferred or refused by SMTP, so that an operator can follow it and
 * fail2ban can read who was refused. It names our id, verdicts, folder, domains, code, peer and duration, and never an address of
 * a user, a subject or what the peer wrote. The fields are listed in docs/operations.md.
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

/** RFC 5321 §4.2.1: from here on a reply is for good. */
export const PERMANENT = 500;
const ACCEPTED = 250;
const ID_BYTES = 9;
const ENHANCED = /^([245]\.\d{1,3}\.\d{1,3}) /;
/** Domains of one message that are named. */
const DOMAINS_MAX = 10;

/** Names a message from here on, in our answer and in the log. */
export const createTraceId = (): string => randomBytes(ID_BYTES).toString('base64url');

export type Stage = 'connect' | 'command' | 'mail' | 'rcpt' | 'data';

const plainDomainOf = (address: string): string => plainDomain(domainOf(address).replace(/^\[|\]$/g, ''));

/** The recipients' domains, each once. */
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
  /** Ids in the queue of what was sent on. */
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
