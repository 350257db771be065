/**
 * The MTA-STS policy of this service (RFC 8461) as text, and the records that announce it for a domain. It is the same for
 * every domain whose mail comes here. Ground: whoever serves it, and whoever tells of its records, has it from here.
 */
import { createHash } from 'node:crypto';
import type { Config } from './config.ts';

const MAX_AGE_SECONDS = 7 * 24 * 60 * 60;
const ID_CHARACTERS = 16;

type Given = Pick<Config, 'mtaSts' | 'mxNames' | 'publicUrl'>;

/** The policy as it is served (RFC 8461 §3.2). */
export const policyText = ({ mtaSts, mxNames }: Given): string =>
  [
    'version: STSv1',
    `mode: ${mtaSts}`,
    ...mxNames.map(name => `mx: ${name}`),
    `max_age: ${MAX_AGE_SECONDS}`,
    '',
  ].join('\r\n');

/** Another policy has another id: by that others see that theirs is old (RFC 8461 §3.1). */
const policyId = (given: Given): string =>
  createHash('sha256').update(policyText(given)).digest('hex').slice(0, ID_CHARACTERS);

/**
 * The records with which a domain announces the policy; none while it promises nothing, or where this service is not reached
 * over HTTPS, by which alone others fetch it.
 */
export function policyRecords(given: Given, domain: string) {
  const url = new URL(given.publicUrl);
  if (url.protocol !== 'https:' || given.mtaSts === 'none') return [];
  return [
    { type: 'TXT', name: `_mta-sts.${domain}`, value: `v=STSv1; id=${policyId(given)}` },
    { type: 'CNAME', name: `mta-sts.${domain}`, value: url.hostname },
  ] as const;
}
