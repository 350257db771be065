/**
 * Which DNS records the operator publishes for the service's own domains, as lines of a zone file. Users' domains have
 * records.ts.
 */
import type { Config } from '../../config.ts';
import { policyRecords } from '../../own-policy.ts';
import { MX_PRIORITY } from './records.ts';

type KeyRecord = {
  readonly domain: string;
  readonly name: string;
  readonly type: string;
  readonly value: string;
};

/** A TXT value as zone files take it: strings of at most 255 characters, which readers join. */
const quoteText = (value: string): string =>
  (value.match(/.{1,255}/g) ?? []).map(part => `"${part}"`).join(' ');

/** The lines for all of the domains; `keys` are their records for DKIM. */
export const ownRecordLines = (config: Config, keys: readonly KeyRecord[]): string[] =>
  config.domains.flatMap(domain => [
    ...config.mxNames.map(name => `${domain}. MX ${MX_PRIORITY} ${name}.`),
    `${domain}. TXT "v=spf1 mx -all"`,
    `_dmarc.${domain}. TXT "v=DMARC1; p=quarantine; rua=mailto:dmarc@${domain}"`,
    ...policyRecords(config, domain).map(({ type, name, value }) =>
      type === 'TXT' ? `${name}. TXT ${quoteText(value)}` : `${name}. CNAME ${value}.`,
    ),
    `_smtp._tls.${domain}. TXT "v=TLSRPTv1; rua=mailto:tlsrpt@${domain}"`,
    ...keys
      .filter(record => record.domain === domain)
      .map(record => `${record.name}. ${record.type} ${quoteText(record.value)}`),
  ]);
