/**
 * Formats mailauth's verdicts as the Authentication-Results value (RFC 8601). Admits only result
 * words and domain names, checked character by character, so that sender-controlled text can never
 * pose as one of our verdicts. Excludes local parts, because the field is stored unencrypted.
 */
import { asciiDomain, domainOf } from '@keyfold/mail/address-form';
import { readHeaders } from '@keyfold/mail/mime/headers';
import { findOneClickAddress } from '@keyfold/mail/mime/list-unsubscribe';
import type { AuthenticateResult } from 'mailauth';
import type { Authentication, Verdict } from './authenticate.ts';

const VERDICTS = new Set<string>([
  'pass',
  'fail',
  'softfail',
  'neutral',
  'none',
  'policy',
  'temperror',
  'permerror',
] satisfies Verdict[]);
const DOMAIN = /^[a-z0-9_](?:[a-z0-9._-]{0,251}[a-z0-9_])?$/i;
const POLICIES = new Set(['none', 'quarantine', 'reject']);

/** Converts a result word of mailauth to ours. */
export const verdictOf = (word: string | undefined): Verdict =>
  word !== undefined && VERDICTS.has(word) ? (word as Verdict) : word === 'temperr' ? 'temperror' : 'none';

/** Returns a plain domain name in lowercase; an empty string for any other text. */
export const plainDomain = (text: unknown): string =>
  typeof text === 'string' && DOMAIN.test(text) ? text.toLowerCase() : '';

/** Returns ` name=domain`, or nothing when the text is not a plain domain name. */
function property(name: string, text: unknown): string {
  const domain = plainDomain(text);
  return domain === '' ? '' : ` ${name}=${domain}`;
}

type Signature = { readonly verdict: Verdict; readonly text: string };
type DomainSignature = Signature & { readonly domain: string };

const dkimOf = ({ dkim }: AuthenticateResult): DomainSignature[] =>
  dkim.results.map(({ status, signingDomain, selector }) => {
    // A signature over part of the body (l=) does not authenticate what a reader sees below that
    // part.
    const isPartial = status.result === 'pass' && (status.underSized ?? 0) > 0;
    const verdict = isPartial ? 'policy' : verdictOf(status.result);
    const reason = isPartial ? ' (part of the body is not signed)' : '';
    return {
      verdict,
      domain: plainDomain(signingDomain),
      text: `dkim=${verdict}${reason}${property('header.d', signingDomain)}${property('header.s', selector)}`,
    };
  });

function spfOf({ spf }: AuthenticateResult): Signature {
  const verdict = verdictOf(spf ? spf.status.result : undefined);
  const { mailfrom, helo } = (spf ? spf.status.smtp : undefined) ?? {};
  const from = mailfrom?.includes('@') ? property('smtp.mailfrom', domainOf(mailfrom)) : '';
  return { verdict, text: `spf=${verdict}${from === '' ? property('smtp.helo', helo) : from}` };
}

function dmarcOf(
  result: AuthenticateResult,
  authorDomain: string | null,
): Signature & { readonly policy: string } {
  const { dmarc } = result;
  const from = dmarc ? (dmarc.status.header?.from ?? '') : '';
  if (!dmarc || authorDomain === null || asciiDomain(from.toLowerCase()) !== authorDomain) {
    // Without exactly one author domain there is nothing to check against, which counts as a
    // failure (RFC 9989 §5.3.1). The same applies when mailauth found another author than the one
    // shown to readers.
    return { verdict: 'permerror', text: 'dmarc=permerror (no single author domain)', policy: 'none' };
  }
  const { alignment } = dmarc;
  const isPartial =
    dmarc.status.result === 'pass' && !alignment.spf.result && (alignment.dkim.underSized ?? 0) > 0;
  const verdict = isPartial ? 'fail' : verdictOf(dmarc.status.result);
  const policy = POLICIES.has(dmarc.policy) ? dmarc.policy : 'none';
  const reason = verdict === 'none' ? '' : ` (p=${policy})`;
  return {
    verdict,
    text: `dmarc=${verdict}${reason}${property('header.from', dmarc.status.header?.from)}`,
    policy,
  };
}

/**
 * Returns the one-click address that a valid signature covers, read from exactly the signed lines:
 * an attacker gains nothing by adding a field to a signed message, or by a message that other
 * parsers read differently.
 */
function oneClickOf({ dkim }: AuthenticateResult): string | null {
  for (const { status, signingHeaders } of dkim.results) {
    if (status.result !== 'pass') continue;
    const fields = (signingHeaders?.headers ?? []).flatMap(line => readHeaders(Buffer.from(line)));
    const valuesOf = (key: string) => fields.filter(field => field.key === key).map(({ value }) => value);
    const address = findOneClickAddress(valuesOf('list-unsubscribe'), valuesOf('list-unsubscribe-post'));
    if (address !== null) return address;
  }
  return null;
}

/** Returns the best of several signature verdicts: one that passes is enough. */
const bestOf = (signatures: readonly Signature[]): Verdict =>
  signatures.find(({ verdict }) => verdict === 'pass')?.verdict ?? signatures[0]?.verdict ?? 'none';

/**
 * Returns verdicts and field value; a `result` of null means that the checks could not finish.
 * `authorDomain` is the domain of the From address shown to readers.
 */
export function formatResults(
  hostname: string,
  result: AuthenticateResult | null,
  authorDomain: string | null,
): Omit<Authentication, 'authorDomain' | 'isWhole' | 'report'> {
  if (result === null) {
    return {
      spf: 'temperror',
      dkim: 'temperror',
      dmarc: 'temperror',
      arc: 'none',
      dmarcPolicy: 'none',
      provedDomain: null,
      oneClick: null,
      results: `${hostname}; spf=temperror; dkim=temperror; dmarc=temperror`,
    };
  }
  const dkim = dkimOf(result);
  const spf = spfOf(result);
  const dmarc = dmarcOf(result, authorDomain);
  const signer = dkim.find(({ verdict }) => verdict === 'pass')?.domain ?? '';
  const arc = verdictOf(result.arc ? result.arc.status.result : undefined);
  const lines = [
    ...(dkim.length === 0 ? ['dkim=none'] : dkim.map(({ text }) => text)),
    spf.text,
    dmarc.text,
    ...(arc === 'none' ? [] : [`arc=${arc}`]),
  ];
  return {
    spf: spf.verdict,
    dkim: bestOf(dkim),
    dmarc: dmarc.verdict,
    arc,
    dmarcPolicy: dmarc.policy,
    provedDomain: dmarc.verdict === 'pass' ? authorDomain : signer === '' ? null : signer,
    oneClick: oneClickOf(result),
    results: [hostname, ...lines].join('; '),
  };
}
