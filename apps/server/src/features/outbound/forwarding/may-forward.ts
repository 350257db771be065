/**
 * Which role mail is sent on and which stays in its mailbox alone. What goes out bears our name in its envelope: spam, what its
 * own author's domain disowns, and what only poses as ours would be vouched for by us.
 */
import { domainOf } from '@keyfold/mail/address-form';
import { FORWARD_MAX_BYTES } from '../../../base/limits.ts';
import type { Config } from '../../../config/config.ts';
import { isSrsShaped } from './srs.ts';
import { isLooping } from './trace.ts';

/** What was found out about a message when it came in. */
export type ForwardVerdicts = {
  readonly spf: string;
  readonly dmarc: string;
  readonly dmarcPolicy: string;
  /** Domain of the one author; null when there is not exactly one. */
  readonly authorDomain: string | null;
};

export type ForwardedMail = {
  /** The message as it came, dot-stuffing undone. */
  readonly raw: Buffer;
  /** Envelope sender; empty for a bounce. */
  readonly envelopeFrom: string;
  readonly clientIp: string;
  readonly helo: string;
  readonly receivedAt: Date;
  readonly verdicts: ForwardVerdicts;
};

/** Why a message is not sent on. */
export type Kept = 'circling' | 'disowned' | 'posing' | 'spam' | 'too_large' | 'unchecked';

/** What others hold two domains for: true when it is one organisation's. */
export type Alignment = (one: string, other: string) => boolean;

/** Tells whether a domain is one of ours, or is held to be by others. */
export const createOwnTest =
  ({ domains, hostname }: Pick<Config, 'domains' | 'hostname'>, isAligned: Alignment) =>
  (domain: string): boolean =>
    [...domains, hostname].some(own => isAligned(own, domain));

/**
 * Why a bounce is not sent back. It leaves with the null sender, for which SPF takes the name of this machine: the same care.
 */
export function findReasonToRefuse(
  { dmarc, dmarcPolicy, authorDomain }: ForwardVerdicts,
  isOurs: (domain: string) => boolean,
): 'disowned' | null {
  if (dmarc === 'fail' && dmarcPolicy !== 'none') return 'disowned';
  return authorDomain === null || (isOurs(authorDomain) && dmarc !== 'pass') ? 'disowned' : null;
}

/** Null when nothing speaks against it. `isOurs` tells whether a domain is one of ours, or is held to be by others. */
export function findReasonToKeep(
  mail: ForwardedMail,
  roles: readonly string[],
  isOurs: (domain: string) => boolean,
): Kept | null {
  const { dmarc, dmarcPolicy, authorDomain } = mail.verdicts;
  if (dmarc === 'fail' && dmarcPolicy !== 'none') return 'disowned';
  if (authorDomain === null || !['fail', 'none', 'pass'].includes(dmarc)) return 'unchecked';
  // Its envelope will pass SPF as ours: a forged From of ours would become a proved one.
  if (isOurs(authorDomain) && dmarc !== 'pass') return 'posing';
  if (isSrsShaped(mail.envelopeFrom) && isOurs(domainOf(mail.envelopeFrom).toLowerCase())) return 'circling';
  if (mail.raw.length > FORWARD_MAX_BYTES) return 'too_large';
  return isLooping(mail.raw, roles) ? 'circling' : null;
}
