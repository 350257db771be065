/**
 * Selects what an aggregate report tells the author's domain about a checked message (RFC 9990):
 * only result words and domain names, as in the field that results.ts writes.
 */
import { domainOf } from '@keyfold/mail/address-form';
import type { AuthenticateResult } from 'mailauth';
import type { DmarcResult } from '../../features/reports/dmarc-reports/index.ts';
import type { Arrival } from './authenticate.ts';
import { plainDomain, verdictOf } from './results.ts';

/** Maximum number of signatures reported per message (RFC 9990 §3.1.1.13). */
const SIGNATURES_MAX = 10;
/**
 * Maximum number of characters of `rua` that are stored: longer values have more addresses than we
 * write to.
 */
const RUA_MAX_CHARACTERS = 1_000;

/**
 * Returns the tags of a DMARC record (RFC 9989 §4.7), with names in lowercase; the first tag of a
 * name counts.
 */
function tagsOf(record: string): ReadonlyMap<string, string> {
  const tags = new Map<string, string>();
  for (const field of record.split(';')) {
    // Split by hand: a regular expression that trims both ends could run for hours on a field of
    // spaces.
    const equals = field.indexOf('=');
    const name = field.slice(0, Math.max(0, equals)).trim().toLowerCase();
    if (name !== '' && !tags.has(name)) tags.set(name, field.slice(equals + 1).trim());
  }
  return tags;
}

const modeOf = (isStrict: boolean | undefined): 'r' | 's' => (isStrict === true ? 's' : 'r');
const wordOf = (isPassed: boolean): 'fail' | 'pass' => (isPassed ? 'pass' : 'fail');

function spfOf({ spf }: AuthenticateResult, { helo, envelopeFrom }: Arrival): DmarcResult['spf'] {
  const result = verdictOf(spf ? spf.status.result : undefined);
  return envelopeFrom.includes('@')
    ? { domain: plainDomain(domainOf(envelopeFrom)), scope: 'mfrom', result }
    : { domain: plainDomain(helo), scope: 'helo', result };
}

const dkimOf = ({ dkim }: AuthenticateResult): DmarcResult['dkim'] =>
  dkim.results
    .map(({ status, signingDomain, selector }) => ({
      domain: plainDomain(signingDomain),
      selector: plainDomain(selector),
      result: verdictOf(status.result),
    }))
    .filter(({ domain }) => domain !== '')
    .slice(0, SIGNATURES_MAX);

/**
 * Returns the data to count; null when the domain has no record, wants no reports, or could not be
 * checked.
 */
export function dmarcReportOf(
  result: AuthenticateResult,
  arrival: Arrival,
  authorDomain: string | null,
): DmarcResult | null {
  const { dmarc } = result;
  if (!dmarc || dmarc.rr === undefined || authorDomain === null) return null;
  const rua = tagsOf(dmarc.rr).get('rua') ?? '';
  const policyDomain = plainDomain(dmarc.policyDomain);
  if (rua === '' || policyDomain === '' || dmarc.status.result === 'temperror') return null;
  const { alignment } = dmarc;
  // A signature over part of the body does not authenticate the rest of it.
  const isSigned = Boolean(alignment.dkim.result) && (alignment.dkim.underSized ?? 0) === 0;
  return {
    policyDomain,
    rua: rua.slice(0, RUA_MAX_CHARACTERS),
    published: {
      adkim: modeOf(alignment.dkim.strict),
      aspf: modeOf(alignment.spf.strict),
      p: dmarc.p,
      sp: dmarc.sp,
      ...(dmarc.np === undefined ? {} : { np: dmarc.np }),
      testing: dmarc.testMode,
    },
    sourceIp: arrival.clientIp,
    headerFrom: plainDomain(authorDomain),
    envelopeFrom: plainDomain(domainOf(arrival.envelopeFrom)),
    evaluated: { dkim: wordOf(isSigned), spf: wordOf(Boolean(alignment.spf.result)) },
    dkim: dkimOf(result),
    spf: spfOf(result, arrival),
  };
}
