/**
 * Which DNS records a user's domain needs (docs/interpretations.md#65): the one that proves it, those with which it receives and
 * sends, and those that are recommended. What stands there instead is findings.ts'.
 */
import type { DomainRecord } from '@keyfold/contract';
import type { Config } from '../../../config/config.ts';
import { policyRecords } from '../../../config/mta-sts.ts';
import type { PublishedKey } from '../../outbound/delivery/index.ts';

export type Expected = Pick<
  DomainRecord,
  'host' | 'is_required' | 'name' | 'priority' | 'purpose' | 'type' | 'value'
> & {
  /** Names the record among those of its domain. */
  readonly key: string;
  /** Whether it is worth showing; the key before the one in use is asked about and not shown. */
  readonly isShown: boolean;
  /** Of an MX record: all that may stand there, itself among them. */
  readonly siblings?: readonly string[];
};

/** All servers alike: others choose among them by lot. */
export const MX_PRIORITY = 10;

/** The text of an ownership record begins so. */
export const OWNERSHIP_PREFIX = 'keyfold-verify=';

const hostOf = (name: string, domain: string): string =>
  name === domain ? '@' : name.slice(0, -domain.length - 1);

/** The key that signs now, and the one that is to come; older ones are only asked about. */
function shownKeys(keys: readonly PublishedKey[]): readonly PublishedKey[] {
  const inUse = keys.findLastIndex(({ seenAt }) => seenAt !== null);
  return keys.slice(Math.max(0, inUse));
}

/**
 * A name for each mail server. The first stands for all: a domain receives when it names any of them and nobody else. The others
 * are recommended, so that one more server makes no domain incomplete.
 */
const mxRecords = ({ mxNames }: Config, domain: string) =>
  mxNames.map(
    (name, at) =>
      ({
        key: at === 0 ? 'mx' : `mx ${name}`,
        purpose: 'mx',
        type: 'MX',
        name: domain,
        value: name,
        priority: MX_PRIORITY,
        siblings: mxNames,
        is_required: at === 0,
      }) as const,
  );

const stsRecords = (config: Config, domain: string) =>
  policyRecords(config, domain).map(
    record =>
      ({ ...record, key: record.type === 'TXT' ? 'mta_sts' : 'mta_sts_host', purpose: 'mta_sts' }) as const,
  );

/** All records of a domain, in the order in which they are shown. */
export function expectedRecords(
  config: Config,
  { domain, token }: { readonly domain: string; readonly token: string },
  keys: readonly PublishedKey[],
): Expected[] {
  const shown = new Set(shownKeys(keys));
  const needed = [
    { key: 'ownership', purpose: 'ownership', type: 'TXT', name: domain, value: token },
    ...mxRecords(config, domain),
    {
      key: 'spf',
      purpose: 'spf',
      type: 'TXT',
      name: domain,
      value: `v=spf1 include:${config.domains[0]} ~all`,
    },
    ...keys.map(
      key =>
        ({
          key: `dkim ${key.selector}`,
          purpose: 'dkim',
          type: 'TXT',
          name: key.name,
          value: key.value,
          isShown: shown.has(key),
        }) as const,
    ),
    {
      key: 'dmarc',
      purpose: 'dmarc',
      type: 'TXT',
      name: `_dmarc.${domain}`,
      value: 'v=DMARC1; p=quarantine',
    },
  ] as const;
  const recommended = [
    ...stsRecords(config, domain),
    {
      key: 'tls_rpt',
      purpose: 'tls_rpt',
      type: 'TXT',
      name: `_smtp._tls.${domain}`,
      value: `v=TLSRPTv1; rua=mailto:postmaster@${domain}`,
    },
  ] as const;
  return [
    ...needed.map(one => ({ isShown: true, is_required: true, ...one, host: hostOf(one.name, domain) })),
    ...recommended.map(one => ({
      ...one,
      is_required: false,
      isShown: true,
      host: hostOf(one.name, domain),
    })),
  ];
}
