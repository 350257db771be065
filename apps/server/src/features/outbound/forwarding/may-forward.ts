/**
 * Decides which role mail is forwarded and which only stays in its mailbox. A forward carries our
 * domain in its envelope, so we would vouch for spam, for messages that the author's domain
 * disowns, and for messages that impersonate our domains.
 */
import { domainOf } from '@keyfold/mail/address-form';
import { FORWARD_MAX_BYTES } from '../../../base/sending-limits.ts';
import type { Config } from '../../../config/config.ts';
import { isSrsShaped } from './srs.ts';
import { isLooping } from './trace.ts';

/** Authentication results of a message at arrival. */
export type ForwardVerdicts = {
  readonly spf: string;
  readonly dmarc: string;
  readonly dmarcPolicy: string;
  /** Domain of the author, or null when there is not exactly one author. */
  readonly authorDomain: string | null;
};

export type ForwardedMail = {
  /** The message as received, after removal of dot-stuffing. */
  readonly raw: Buffer;
  /** Envelope sender; empty for a bounce. */
  readonly envelopeFrom: string;
  readonly clientIp: string;
  readonly helo: string;
  readonly receivedAt: Date;
  readonly verdicts: ForwardVerdicts;
};

/** Reason why a message is not forwarded. */
export type Kept = 'circling' | 'disowned' | 'posing' | 'spam' | 'too_large' | 'unchecked';

/** Returns whether other servers consider two domains to belong to one organization. */
export type Alignment = (one: string, other: string) => boolean;

/** Creates a test for whether a domain is one of ours, or considered so by other servers. */
export const createOwnTest =
  ({ domains, hostname }: Pick<Config, 'domains' | 'hostname'>, isAligned: Alignment) =>
  (domain: string): boolean =>
    [...domains, hostname].some(own => isAligned(own, domain));

/**
 * Returns why a bounce is not sent back. It leaves with the null sender, for which SPF checks this
 * machine's hostname, so it needs the same care.
 */
export function findReasonToRefuse(
  { dmarc, dmarcPolicy, authorDomain }: ForwardVerdicts,
  isOurs: (domain: string) => boolean,
): 'disowned' | null {
  if (dmarc === 'fail' && dmarcPolicy !== 'none') return 'disowned';
  return authorDomain === null || (isOurs(authorDomain) && dmarc !== 'pass') ? 'disowned' : null;
}

/**
 * Returns why a message is not forwarded, or null when it may be. `isOurs` tests whether a domain
 * is one of ours, or considered so by other servers.
 */
export function findReasonToKeep(
  mail: ForwardedMail,
  roles: readonly string[],
  isOurs: (domain: string) => boolean,
): Kept | null {
  const { dmarc, dmarcPolicy, authorDomain } = mail.verdicts;
  if (dmarc === 'fail' && dmarcPolicy !== 'none') return 'disowned';
  if (authorDomain === null || !['fail', 'none', 'pass'].includes(dmarc)) return 'unchecked';
  // The envelope will pass SPF as ours, so a forged From at our domain would become an
  // authenticated one.
  if (isOurs(authorDomain) && dmarc !== 'pass') return 'posing';
  if (isSrsShaped(mail.envelopeFrom) && isOurs(domainOf(mail.envelopeFrom).toLowerCase())) return 'circling';
  if (mail.raw.length > FORWARD_MAX_BYTES) return 'too_large';
  return isLooping(mail.raw, roles) ? 'circling' : null;
}
