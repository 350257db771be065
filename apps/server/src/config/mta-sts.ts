/**
 * The text of this service's MTA-STS policy (RFC 8461), and the DNS records that announce it for a
 * domain. It is the same for every domain that receives mail here. Base layer: shared by the code
 * that serves the policy and the code that displays its records.
 */
import { createHash } from 'node:crypto';
import type { Config } from './config.ts';

const MAX_AGE_SECONDS = 7 * 24 * 60 * 60;
const ID_CHARACTERS = 16;

type Given = Pick<Config, 'mtaSts' | 'mxNames' | 'publicUrl'>;

/** Returns the policy as it is served (RFC 8461 §3.2). */
export const policyText = ({ mtaSts, mxNames }: Given): string =>
  [
    'version: STSv1',
    `mode: ${mtaSts}`,
    ...mxNames.map(name => `mx: ${name}`),
    `max_age: ${MAX_AGE_SECONDS}`,
    '',
  ].join('\r\n');

/**
 * Returns the id of the policy. It changes with the policy, so that other servers notice that their
 * copy is outdated (RFC 8461 §3.1).
 */
const policyId = (given: Given): string =>
  createHash('sha256').update(policyText(given)).digest('hex').slice(0, ID_CHARACTERS);

/**
 * Returns the records with which a domain announces the policy. There are none while the mode is
 * none, or when this service is not reachable over HTTPS, because other servers fetch the policy
 * only over HTTPS.
 */
export function policyRecords(given: Given, domain: string) {
  const url = new URL(given.publicUrl);
  if (url.protocol !== 'https:' || given.mtaSts === 'none') return [];
  return [
    { type: 'TXT', name: `_mta-sts.${domain}`, value: `v=STSv1; id=${policyId(given)}` },
    { type: 'CNAME', name: `mta-sts.${domain}`, value: url.hostname },
  ] as const;
}
