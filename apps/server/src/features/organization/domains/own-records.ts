/**
 * DNS records that the operator publishes for the service's own domains, as lines of a zone file.
 * For users' domains, see records.ts.
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

/** Formats a TXT value for a zone file: strings of at most 255 characters, which resolvers join. */
const quoteText = (value: string): string =>
  (value.match(/.{1,255}/g) ?? []).map(part => `"${part}"`).join(' ');

/**
 * SPF terms for the hosts that may send for a domain: its mail servers, plus this machine if it is
 * not one of them.
 */
const senders = ({ hostname, mxNames }: Config): string =>
  mxNames.includes(hostname) ? 'mx' : `mx a:${hostname}`;

/** Zone file comments for requirements that no record can express. */
const remarks = ({ smtpRelay, mtaSts, publicUrl }: Config): string[] => [
  ...(smtpRelay === undefined
    ? []
    : [
        '; Mail is sent through SMTP_RELAY: add the mechanisms that its operator lists to the v=spf1 lines, before -all',
      ]),
  ...(mtaSts !== 'none' && !publicUrl.startsWith('https:')
    ? ['; KEYFOLD_URL is not https, which MTA-STS requires, so there are no MTA-STS records']
    : []),
];

/** Returns the lines for all domains. `keys` are their DKIM records. */
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
