/**
 * Addresses to which other servers send reports. Mail to report-only addresses is read by the
 * server and not stored. Mail to role addresses for problems (RFC 2142) is delivered to people and
 * read by the server as well.
 */
import { directoryNameOf, normalizeAddress } from '@keyfold/mail/address-form';
import type { Config } from '../../config/config.ts';

/**
 * Reserved: no user of a service domain can have these names (features/accounts/auth/usernames.ts).
 */
const REPORTS: ReadonlySet<string> = new Set(['dmarc', 'tls-rpt', 'tlsrpt']);
const PEOPLE: ReadonlySet<string> = new Set(['abuse', 'postmaster']);

/** Returns the purpose of an address, or null for all others. */
export const createReportAddresses =
  ({ domains }: Pick<Config, 'domains'>) =>
  (given: string): 'people' | 'reports' | null => {
    const address = normalizeAddress(given);
    const [name = '', domain = ''] = directoryNameOf(address).split('@');
    if (PEOPLE.has(name)) return 'people';
    return REPORTS.has(name) && domains.includes(domain) ? 'reports' : null;
  };
