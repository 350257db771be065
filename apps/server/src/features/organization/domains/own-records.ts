/**
 * Which DNS records the operator publishes for the service's own domains, as lines of a zone file. Users' domains have
 * records.ts.
 */

import type { Config } from '../../../config/config.ts';
import { policyRecords } from '../../../config/mta-sts.ts';
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

/** What may send for a domain: its mail servers, and this machine where it is none of them. */
const senders = ({ hostname, mxNames }: Config): string =>
  mxNames.includes(hostname) ? 'mx' : `mx a:${hostname}`;

/** What no record can say, as comments of a zone file. */
const remarks = ({ smtpRelay, mtaSts, publicUrl }: Config): string[] => [
  ...(smtpRelay === undefined
    ? []
    : ['; Mail leaves by SMTP_RELAY: add what its operator names to the lines with v=spf1, before -all']),
  ...(mtaSts !== 'none' && !publicUrl.startsWith('https:')
    ? ['; KEYFOLD_URL is not https: no records of MTA-STS, whose policy others fetch by https alone']
    : []),
];

/** The lines for all of the domains; `keys` are their records for DKIM. */
export const ownRecordLines = (config: Config, keys: readonly KeyRecord[]): string[] => [
  ...remarks(config),
  ...config.domains.flatMap(domain => [
    ...config.mxNames.map(name => `${domain}. MX ${MX_PRIORITY} ${name}.`),
    `${domain}. TXT "v=spf1 ${senders(config)} -all"`,
    `_dmarc.${domain}. TXT "v=DMARC1; p=quarantine; rua=mailto:dmarc@${domain}"`,
    ...policyRecords(config, domain).map(({ type, name, value }) =>
      type === 'TXT' ? `${name}. TXT ${quoteText(value)}` : `${name}. CNAME ${value}.`,
    ),
    `_smtp._tls.${domain}. TXT "v=TLSRPTv1; rua=mailto:tlsrpt@${domain}"`,
    ...keys
      .filter(record => record.domain === domain)
      .map(record => `${record.name}. ${record.type} ${quoteText(record.value)}`),
  ]),
];
