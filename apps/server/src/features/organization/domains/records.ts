/**
 * DNS records that a user's domain needs (docs/interpretations.md#65): the ownership record, the
 * records required to receive and send, and the recommended ones. findings.ts compares them with
 * what is published.
 */
import type { DomainRecord } from '@keyfold/contract';
import type { Config } from '../../../config/config.ts';
import { policyRecords } from '../../../config/mta-sts.ts';
import type { PublishedKey } from '../../outbound/delivery/index.ts';

export type Expected = Pick<
  DomainRecord,
  'host' | 'is_required' | 'name' | 'priority' | 'purpose' | 'type' | 'value'
> & {
  /** Identifies the record within its domain. */
  readonly key: string;
  /** Whether the record is shown. The key before the current one is queried but not shown. */
  readonly isShown: boolean;
  /** For an MX record: all allowed hosts, including its own. */
  readonly siblings?: readonly string[];
};

/** All servers share one priority, so senders choose among them at random. */
export const MX_PRIORITY = 10;

/** Prefix of the text of an ownership record. */
export const OWNERSHIP_PREFIX = 'keyfold-verify=';

const hostOf = (name: string, domain: string): string =>
  name === domain ? '@' : name.slice(0, -domain.length - 1);

/** Returns the key that signs now and the next one. Older keys are only queried. */
function shownKeys(keys: readonly PublishedKey[]): readonly PublishedKey[] {
  const inUse = keys.findLastIndex(({ seenAt }) => seenAt !== null);
  return keys.slice(Math.max(0, inUse));
}

/**
 * One record per mail server. The first one is required and stands for all: a domain can receive
 * when its MX records name any of our servers and no others. The rest are recommended, so that
 * adding a server makes no domain incomplete.
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

/** Returns all records of a domain in display order. */
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
